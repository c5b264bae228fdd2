import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { swapOf } from './decide/userSwaps.ts'

type Reads = Pick<RequestStore, 'openDeposits' | 'openTransactions' | 'pendingSwaps'>

/** Heights of the blocks above `above` that hold something of what is stored. */
export async function storedHeights(
  store: Reads,
  chainId: ChainId,
  above: bigint,
): Promise<Set<bigint>> {
  const [deposits, transactions, swaps] = await Promise.all([
    store.openDeposits(chainId, above),
    store.openTransactions(chainId, above),
    store.pendingSwaps(chainId),
  ])
  const blocks = [
    ...deposits.map(({ block }) => block),
    ...transactions.map(({ mined }) => mined?.block),
    ...swaps.map((request) => swapOf(request)?.block),
  ]
  const heights = blocks.flatMap((block) => block?.number ?? [])
  return new Set(heights.filter((height) => height > above))
}
