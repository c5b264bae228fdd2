import { Counter, Gauge, type Registry } from 'prom-client'
import type { ChainId } from '#src/core/units/chainId.ts'

/** Counts of one RPC endpoint. Its name has no keys. */
type EndpointCounts = Readonly<{
  rpc: string
  requests: ReadonlyMap<string, number>
  /** `undefined` for a WebSocket. */
  budget:
    | Readonly<{
        refusals: readonly Readonly<{ method: string; reason: string; count: number }>[]
        inFlight: number
        waiting: number
        isBackingOff: boolean
        /** `Infinity` while no limit is known. */
        requestsPerSecond: number
      }>
    | undefined
}>

type Counts = Readonly<{
  usage: () => readonly EndpointCounts[]
  /** Number of requests that an endpoint did not answer, by its URL without keys. */
  failures?: () => Iterable<readonly [string, number]>
}>

export type RpcClients = ReadonlyMap<ChainId, Counts>

type Chains = () => readonly Readonly<{ id: ChainId; name: string }>[]

/** Adds the metrics of the RPC endpoints of all chains. */
export function addRpcMetrics(registry: Registry, chains: Chains, clients: RpcClients): void {
  const registers = [registry]
  const each = (visit: (chain: string, counts: Counts) => void) => {
    for (const { id, name } of chains()) {
      const counts = clients.get(id)
      if (counts !== undefined) visit(name, counts)
    }
  }

  new Counter({
    name: 'crossquote_rpc_requests_total',
    help: 'JSON-RPC requests sent to chains, by endpoint and method.',
    labelNames: ['chain', 'endpoint', 'method'],
    registers,
    collect() {
      this.reset()
      each((chain, { usage }) => {
        for (const { rpc: endpoint, requests } of usage())
          for (const [method, count] of requests) this.inc({ chain, endpoint, method }, count)
      })
    },
  })

  new Counter({
    name: 'crossquote_rpc_refusals_total',
    help: 'JSON-RPC requests that an endpoint refused, by reason: rateLimit (it is asked too often), or refused (it does not take the request, such as a range of too many blocks).',
    labelNames: ['chain', 'endpoint', 'method', 'reason'],
    registers,
    collect() {
      this.reset()
      each((chain, { usage }) => {
        for (const { rpc: endpoint, budget } of usage())
          for (const { method, reason, count } of budget?.refusals ?? [])
            this.inc({ chain, endpoint, method, reason }, count)
      })
    },
  })

  new Counter({
    name: 'crossquote_rpc_failures_total',
    help: 'JSON-RPC requests that an endpoint did not answer, or not usably. Others may have answered them.',
    labelNames: ['chain', 'endpoint'],
    registers,
    collect() {
      this.reset()
      each((chain, { failures }) => {
        for (const [endpoint, count] of failures?.() ?? []) this.inc({ chain, endpoint }, count)
      })
    },
  })

  const addBudgetGauge = (
    name: string,
    help: string,
    toValue: (budget: NonNullable<EndpointCounts['budget']>) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['chain', 'endpoint'],
      registers,
      collect() {
        this.reset()
        each((chain, { usage }) => {
          for (const { rpc: endpoint, budget } of usage())
            if (budget !== undefined) this.set({ chain, endpoint }, toValue(budget))
        })
      },
    })
  addBudgetGauge(
    'crossquote_rpc_backing_off',
    'Whether an RPC endpoint has failed and is in backoff: 1 or 0.',
    ({ isBackingOff }) => Number(isBackingOff),
  )
  addBudgetGauge(
    'crossquote_rpc_in_flight',
    'JSON-RPC requests that an endpoint has not answered yet.',
    ({ inFlight }) => inFlight,
  )
  addBudgetGauge(
    'crossquote_rpc_waiting',
    'JSON-RPC requests that wait until the budget of an endpoint has room.',
    ({ waiting }) => waiting,
  )
  addBudgetGauge(
    'crossquote_rpc_requests_per_second_limit',
    'Requests that may be sent to an endpoint in a second, as configured or as learnt from its refusals. +Inf while no limit is known.',
    ({ requestsPerSecond }) => requestsPerSecond,
  )
}
