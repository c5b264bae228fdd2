import { type Receipt, readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

/** Of the attempt that a block holds, if one does. */
export async function findReceipt(
  client: Pick<ChainClient, 'ask'>,
  { attempts }: Pick<SolverTransaction, 'attempts'>,
): Promise<Receipt | undefined> {
  // The last one is the likeliest.
  for (const { hash } of attempts.toReversed()) {
    const found = await readReceipt(client, hash)
    if (found !== undefined) return found
  }
  return undefined
}
