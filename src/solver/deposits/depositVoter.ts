import { createReadFinal } from '#src/chains/follow/finality.ts'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { Vote } from '#src/chains/rpc/agreement.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { DepositDepth } from '#src/core/pricing/deposits/depositDepth.ts'
import type { MinedDeposit } from '#src/requests/state/deposit.ts'
import { readDeposits } from '#src/requests/tracker/read/readEvents.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'

/**
 * Whether the endpoints have the deposit, unchanged, in the same block, at this depth.
 * @throws what `ask` throws
 */
export type DepositVoter = (deposit: MinedDeposit, depth: DepositDepth) => Promise<Vote>

type VotedChain = Pick<ChainConfig, 'id' | 'wrappedNative' | 'finalityDepth'> &
  Readonly<{ contracts: NonNullable<ChainConfig['contracts']> }>

/** Caches the finality of the endpoints: use one voter for all deposits. */
export function createDepositVoter(
  rpc: Pick<ChainClient, 'ask'>,
  { id: chainId, contracts, wrappedNative, finalityDepth }: VotedChain,
): DepositVoter {
  const readFinal = createReadFinal(rpc, { finalityDepth })

  async function isReached(
    height: bigint,
    depth: DepositDepth,
    signal: AbortSignal,
  ): Promise<boolean> {
    const head = await rpc.ask(latest, parseHeader, signal)
    if (head === undefined) return false
    if (depth !== 'final') return head.number >= height + BigInt(depth)
    const final = await readFinal(head.number, signal)
    return final !== undefined && final.number >= height
  }

  return async (deposit, depth) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { block, txHash, timestamp, currency } = deposit
    // Reads the depth first: the receipt then reflects every reorg until now.
    if (!(await isReached(block.number, depth, signal))) return 'notYet'
    const receipt = await readReceipt(rpc, txHash, signal)
    if (receipt === undefined || receipt.block.hash !== block.hash) return 'no'
    const tracked = { chainId, contracts, wrappedNative, depositCurrencies: new Set([currency]) }
    const logged = { ...block, timestamp: BigInt(timestamp), logs: receipt.logs }
    const found = await readDeposits(rpc, tracked, logged, signal)
    return found.some((each) => isSame(each, deposit)) ? 'yes' : 'no'
  }
}

const timeoutMs = 10_000

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

const isSame = (one: ObservedDeposit, other: MinedDeposit): boolean =>
  one.depositId === other.depositId &&
  one.orderId === other.orderId &&
  one.depositor === other.depositor &&
  one.currency === other.currency &&
  one.amount === other.amount
