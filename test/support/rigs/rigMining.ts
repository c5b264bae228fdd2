import type { Hex } from 'viem'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Devnet } from '#src/devnet/startDevnet.ts'
import { reorgChain } from '#test/support/chains/reorgChain.ts'
import { mineAtUsualFee, mineSeconds } from '#test/support/chains/sendUntilMined.ts'
import type { Wallet } from '#test/support/wallets/wallet.ts'
import { settleAfterSeconds } from './devnetConfig.ts'

/** Mines blocks of a devnet on request. Interval mining is suspended meanwhile. */
export function createMining(
  { suspendMining, minePendingOnly }: Pick<Devnet, 'suspendMining' | 'minePendingOnly'>,
  { clientOn }: Pick<Wallet, 'clientOn'>,
  finalityBlocks: number,
) {
  /** Mines this number of blocks at once. */
  const mine = (chainId: ChainId, blocks: number): Promise<void> =>
    suspendMining(chainId, () => mineAtUsualFee(clientOn(chainId), blocks))

  /**
   * Advances the chain time by `seconds`, with at most one block per second and enough blocks for one to become final.
   */
  const pass = (chainId: ChainId, seconds: number): Promise<void> =>
    suspendMining(chainId, () =>
      mineSeconds(clientOn(chainId), seconds, Math.min(seconds, finalityBlocks + 1)),
    )

  return {
    suspendMining,
    minePendingOnly,
    finalityBlocks,
    mine,

    /** Mines until all present blocks are final. */
    mineUntilFinal: (chainId: ChainId): Promise<void> => mine(chainId, finalityBlocks + 1),

    pass,

    /** Advances the chain time until a small batch of deposits is settled. */
    passSettlement: (chainId: ChainId): Promise<void> => pass(chainId, settleAfterSeconds + 1),

    /** Replaces the blocks from this height on by new ones. Each new block holds one of the transactions, or none. */
    async reorg(
      chainId: ChainId,
      height: bigint,
      transactions: readonly Hex[] = [],
    ): Promise<void> {
      const anvil = clientOn(chainId)
      await suspendMining(chainId, async () => {
        const depth = Number((await anvil.getBlockNumber()) - height) + 1
        await reorgChain(anvil, depth, transactions)
      })
    },
  }
}
