import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Answer } from '#src/gateway/http/answer.ts'
import type { ChainSummary } from '#src/operations/operations.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { addWorkMetrics } from './workerMetrics.ts'
import type { Duty } from './workerStatus.ts'

export type Metrics = ReturnType<typeof createMetrics>

type Head = Pick<NonNullable<ChainSummary['head']>, 'number' | 'timestamp' | 'pools'>

type Deps = Readonly<{
  chains: () => readonly (Pick<ChainSummary, 'id' | 'name'> &
    Readonly<{ head: Head | undefined }>)[]
  /** Tell how many JSON-RPC requests they have sent so far, by method. */
  clients: ReadonlyMap<ChainId, Readonly<{ requests: () => Iterable<readonly [string, number]> }>>
  /** Where this process tracks or solves. */
  duties?: () => readonly Duty[]
}>

/** Seconds; a price takes well under a millisecond of work. */
const durationBuckets = [
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5,
]

/** What happens here, in numbers for Prometheus to fetch. */
export function createMetrics({ chains, clients, duties }: Deps) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  if (duties !== undefined) addWorkMetrics(registry, duties)

  const requests = new Histogram({
    name: 'crossquote_request_duration_seconds',
    help: 'GraphQL requests by root field and REST requests by operation, with the first error code and the lane that answered: seconds from the last byte read to the answer.',
    labelNames: ['operation', 'code', 'lane'],
    buckets: durationBuckets,
    registers,
  })

  new Counter({
    name: 'crossquote_rpc_requests_total',
    help: 'JSON-RPC requests to chains.',
    labelNames: ['chain', 'method'],
    registers,
    collect() {
      this.reset()
      for (const { id, name: chain } of chains())
        for (const [method, count] of clients.get(id)?.requests() ?? [])
          this.inc({ chain, method }, count)
    },
  })

  const gaugeOfHeads = (name: string, help: string, figureOf: (head: Head) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers,
      collect() {
        for (const { name: chain, head } of chains())
          if (head !== undefined) this.set({ chain }, figureOf(head))
      },
    })
  gaugeOfHeads(
    'crossquote_chain_head_block',
    'Height of the block that prices follow from.',
    ({ number }) => Number(number),
  )
  gaugeOfHeads(
    'crossquote_chain_head_timestamp_seconds',
    'Time of that block, seconds since 1970.',
    ({ timestamp }) => Number(timestamp),
  )
  gaugeOfHeads('crossquote_chain_pools', 'Pools that routes may use.', ({ pools }) => pools)

  const subscriptions = new Gauge({
    name: 'crossquote_subscriptions',
    help: 'Subscriptions that are open: of GraphQL by transport, and those of /ws.',
    labelNames: ['transport'],
    registers,
  })

  return {
    contentType: registry.contentType,

    /** `seconds` from the request’s last byte read to its answer. */
    countRequest: (
      { operation, code, lane }: Pick<Answer, 'operation' | 'code' | 'lane'>,
      seconds: number,
    ): void => requests.observe({ operation, code, lane }, seconds),

    /** Counts one that is open until what it returns is called. */
    openSubscription: (transport: 'sse' | 'websocket' | '/ws'): (() => void) => {
      subscriptions.inc({ transport })
      return () => subscriptions.dec({ transport })
    },

    /** The text format of Prometheus. */
    print: (): Promise<string> => registry.metrics(),
  }
}
