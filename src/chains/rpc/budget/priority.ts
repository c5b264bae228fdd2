import type { RpcRequest } from '#src/chains/rpc/rpcRequest.ts'

/** From the most urgent: what the newest block waits for, what else is asked, and what can wait. */
export const priorities = ['head', 'normal', 'background'] as const

export type Priority = (typeof priorities)[number]

/** The share of an endpoint's budget that a priority may use. The rest stays free for what is more urgent. */
const shares = { head: 1, normal: 0.9, background: 0.75 } as const satisfies Record<
  Priority,
  number
>

/** The part of `most` that a priority may use, at least 1. */
export const shareOf = (priority: Priority, most: number): number =>
  Math.max(1, Math.floor(most * shares[priority]))

const headMethods = new Set([
  'eth_blockNumber',
  'eth_chainId',
  'eth_feeHistory',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
])

/** The priority of a request whose caller names none. */
export function priorityOf({ method, params }: RpcRequest): Priority {
  if (method === 'eth_getLogs') {
    const [filter] = (params ?? []) as readonly Readonly<{ blockHash?: unknown }>[]
    return filter?.blockHash === undefined ? 'background' : 'head'
  }
  return headMethods.has(method) ? 'head' : 'normal'
}
