import { type Address, numberToHex } from 'viem'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { count as countShape, parse } from '#src/chains/rpc/rpcAnswer.ts'

/** Number of an account's transactions up to a block. `pending` includes those in the mempool. */
export async function countAt(
  { ask }: Rpc,
  account: Address,
  block: 'latest' | 'pending' | bigint,
): Promise<number> {
  const tag = typeof block === 'bigint' ? numberToHex(block) : block
  const request = { method: 'eth_getTransactionCount', params: [account, tag] }
  const count = await ask(request, (answer) => parse(countShape, answer))
  if (count === undefined) throw new Error('eth_getTransactionCount has no answer')
  return count
}
