import { vi } from 'vitest'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash, type TxId } from '#src/core/units/txId.ts'
import { patience, type SolverRig } from './solverRig.ts'

/** Waits until one of these transactions is mined, then mines until its block is final. */
export async function makeFinal(
  rig: SolverRig,
  chainId: ChainId,
  hashes: () => Promise<readonly TxId[]>,
): Promise<void> {
  const anvil = rig.wallet.clientOn(chainId)
  const isMined = (hash: TxId) =>
    anvil.getTransactionReceipt({ hash: evmHash(hash) }).then(
      () => true,
      () => false,
    )
  await vi.waitUntil(async () => {
    const mined = await Promise.all((await hashes()).map(isMined))
    return mined.includes(true)
  }, patience)
  await rig.mineUntilFinal(chainId)
}
