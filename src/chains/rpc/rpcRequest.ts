/** A JSON-RPC request without its id. */
export type RpcRequest = Readonly<{
  method: string
  params?: readonly unknown[]
  /**
   * Only endpoints that have reached this height are asked. A node that is behind returns an incomplete range of logs
   * without an error.
   */
  minHeight?: bigint
}>

/** The most urgent first: reads for the newest block, other requests, and requests that can wait. */
export const priorities = ['head', 'normal', 'background'] as const

export type Priority = (typeof priorities)[number]

/** The share of an endpoint's budget that a priority may use. The rest is reserved for more urgent requests. */
const shares = { head: 1, normal: 0.9, background: 0.75 } as const satisfies Record<
  Priority,
  number
>

/** The part of `limit` that a priority may use, rounded down, at least 1. */
export const shareOf = (priority: Priority, limit: number): number =>
  Math.max(1, Math.floor(limit * shares[priority]))

const headMethods = new Set([
  'eth_blockNumber',
  'eth_chainId',
  'eth_feeHistory',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
])

/** The default priority of a request. */
export function priorityOf({ method, params }: RpcRequest): Priority {
  if (method === 'eth_getLogs') {
    const [filter] = (params ?? []) as readonly Readonly<{ blockHash?: unknown }>[]
    return filter?.blockHash === undefined ? 'background' : 'head'
  }
  return headMethods.has(method) ? 'head' : 'normal'
}
