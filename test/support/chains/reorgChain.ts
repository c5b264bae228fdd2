import type { Hex } from 'viem'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'

/** Replaces the last `depth` blocks by new ones. Each new block holds one of the transactions, or none. */
export async function reorgChain(
  anvil: AnvilClient,
  depth: number,
  transactions: readonly Hex[] = [],
): Promise<void> {
  await anvil.request<AnvilReorg>({
    method: 'anvil_reorg',
    params: [depth, transactions.map((raw, at) => [raw, at])],
  })
}

type AnvilReorg = {
  Method: 'anvil_reorg'
  Parameters: [depth: number, transactions: [raw: Hex, block: number][]]
  ReturnType: null
}
