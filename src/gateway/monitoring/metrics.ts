import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '#src/core/errors.ts'
import type { Inventory } from '#src/service/books/inventory.ts'
import { addInventoryMetrics } from './inventoryMetrics.ts'
import { addLimitMetrics, type LimitMetrics } from './limitMetrics.ts'
import { addMarketMetrics, type ObservedChain } from './marketMetrics.ts'
import { addRpcMetrics, type RpcClients } from './rpcMetrics.ts'
import { addWorkerMetrics } from './workerMetrics.ts'
import type { WorkerStatus } from './workerStatus.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Counts subscriptions and their connections. */
export type SocketMetrics = Readonly<{
  limits: LimitMetrics
  openSubscription: Metrics['openSubscription']
}>

/** The outcome of a request. Counted for every request of GraphQL and REST. */
export type RequestOutcome = Readonly<{
  /** The part of the gateway that answered; `none` for a request that was refused before execution. */
  executor: 'compiled' | 'yoga' | 'socket' | 'rest' | 'none'
  /** The root field of GraphQL (see `operationLabel`), or the operation of the REST route. */
  operation: string
  /** The code of the first error. */
  code: ErrorCode | 'OK'
}>

type Deps = Readonly<{
  /** A registry that already has other metrics. */
  registry?: Registry
  chains: () => readonly ObservedChain[]
  /** The RPC clients, which count their requests. */
  clients: RpcClients
  /** Present if this process runs workers. */
  workerStatuses?: () => readonly WorkerStatus[]
  /** Present if this process has a market. */
  inventory?: Inventory | undefined
}>

/** In seconds. A price takes well under a millisecond. */
const durationBuckets = [
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5,
]

/** The Prometheus metrics of this process. */
export function createMetrics({
  registry = new Registry(),
  chains,
  clients,
  workerStatuses,
  inventory,
}: Deps) {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addRpcMetrics(registry, chains, clients)
  addMarketMetrics(registry, chains)
  if (inventory !== undefined) addInventoryMetrics(registry, inventory)
  if (workerStatuses !== undefined) addWorkerMetrics(registry, workerStatuses)

  const requests = new Histogram({
    name: 'crossquote_request_duration_seconds',
    help: 'Seconds from the last byte of a request to its answer. By operation (GraphQL root field or REST operation), first error code, and lane (what answered: compiled, yoga, socket, rest, none).',
    labelNames: ['operation', 'code', 'lane'],
    buckets: durationBuckets,
    registers,
  })

  const subscriptions = new Gauge({
    name: 'crossquote_subscriptions',
    help: 'Open subscriptions: of GraphQL by transport, and of /ws.',
    labelNames: ['transport'],
    registers,
  })

  return {
    contentType: registry.contentType,
    limits: addLimitMetrics(registry),

    /** `seconds` from the last byte of the request to its answer. */
    countRequest: (
      { operation, code, executor }: RequestOutcome,
      seconds: number,
      // Dashboards select by the label `lane`: it keeps its name.
    ): void => requests.observe({ operation, code, lane: executor }, seconds),

    /** Counts a subscription as open until the returned function is called. */
    openSubscription: (transport: 'sse' | 'websocket' | '/ws'): (() => void) => {
      subscriptions.inc({ transport })
      return () => subscriptions.dec({ transport })
    },

    /** All metrics in the text format of Prometheus. */
    print: (): Promise<string> => registry.metrics(),
  }
}
