import type { Registry } from 'prom-client'
import type { ChainId } from '#src/core/units/chainId.ts'
import { addReadings, type Readings } from './readings.ts'

/** Counts of one RPC endpoint. Its name has no keys. */
type EndpointCounts = Readonly<{
  rpc: string
  requests: ReadonlyMap<string, number>
  /** `undefined` for a WebSocket. */
  budget: Budget | undefined
}>

type Budget = Readonly<{
  refusals: readonly Readonly<{ method: string; reason: string; count: number }>[]
  inFlight: number
  waiting: number
  isBackingOff: boolean
  /** `Infinity` while no limit is known. */
  requestsPerSecond: number
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
  const counted = () =>
    chains().flatMap(({ id, name: chain }) => {
      const counts = clients.get(id)
      return counts === undefined ? [] : [{ chain, counts }]
    })
  const endpoints = () =>
    counted().flatMap(({ chain, counts }) =>
      counts.usage().map(({ rpc: endpoint, ...usage }) => ({ chain, endpoint, ...usage })),
    )

  const requests = () =>
    endpoints().flatMap(({ chain, endpoint, requests }) =>
      [...requests].map(([method, count]) => [{ chain, endpoint, method }, count] as const),
    )
  addReadings(registry, ['chain', 'endpoint', 'method'], requests, {
    crossquote_rpc_requests_total: [
      'JSON-RPC requests sent to chains, by endpoint and method.',
      (count) => count,
    ],
  })

  const refusals = () =>
    endpoints().flatMap(({ chain, endpoint, budget }) =>
      (budget?.refusals ?? []).map(
        ({ method, reason, count }) => [{ chain, endpoint, method, reason }, count] as const,
      ),
    )
  addReadings(registry, ['chain', 'endpoint', 'method', 'reason'], refusals, {
    crossquote_rpc_refusals_total: [
      'JSON-RPC requests that an endpoint refused, by reason: rateLimit (it is asked too often), or refused (it does not take the request, such as a range of too many blocks).',
      (count) => count,
    ],
  })

  const failures = () =>
    counted().flatMap(({ chain, counts }) =>
      [...(counts.failures?.() ?? [])].map(
        ([endpoint, count]) => [{ chain, endpoint }, count] as const,
      ),
    )
  addReadings(registry, ['chain', 'endpoint'], failures, {
    crossquote_rpc_failures_total: [
      'JSON-RPC requests that an endpoint did not answer, or not usably. Others may have answered them.',
      (count) => count,
    ],
  })

  const budgets = () =>
    endpoints().flatMap(({ chain, endpoint, budget }) =>
      budget === undefined ? [] : [[{ chain, endpoint }, budget] as const],
    )
  addReadings(registry, ['chain', 'endpoint'], budgets, budgetReadings)
}

const budgetReadings: Readings<Budget> = {
  crossquote_rpc_backing_off: [
    'Whether an RPC endpoint has failed and is in backoff: 1 or 0.',
    ({ isBackingOff }) => Number(isBackingOff),
  ],
  crossquote_rpc_in_flight: [
    'JSON-RPC requests that an endpoint has not answered yet.',
    ({ inFlight }) => inFlight,
  ],
  crossquote_rpc_waiting: [
    'JSON-RPC requests that wait until the budget of an endpoint has room.',
    ({ waiting }) => waiting,
  ],
  crossquote_rpc_requests_per_second_limit: [
    'Requests that may be sent to an endpoint in a second, as configured or as learnt from its refusals. +Inf while no limit is known.',
    ({ requestsPerSecond }) => requestsPerSecond,
  ],
}
