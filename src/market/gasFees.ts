import type { ChainClient } from '#src/chains/chainClient.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { GasMarket } from '#src/pricing/gas.ts'

/** How many blocks the priority fee is the median of. */
const feeBlocks = 10

/**
 * The base fee of the block after `block`, the first that a transaction made now can be in, and the
 * priority fee, by one `eth_feeHistory`; on a chain without EIP-1559 the gas price, as a priority fee.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function readGasFees(
  client: ChainClient,
  block: Pick<FollowedBlock, 'number' | 'baseFeePerGas'>,
): Promise<Omit<GasMarket, 'l1DataFee'>> {
  if (block.baseFeePerGas === null)
    return { baseFeePerGas: 0n, priorityFeePerGas: await client.getGasPrice() }
  const history = await client.getFeeHistory({
    blockCount: feeBlocks,
    blockNumber: block.number,
    rewardPercentiles: [50],
  })
  return {
    baseFeePerGas: history.baseFeePerGas.at(-1) ?? block.baseFeePerGas,
    priorityFeePerGas: priorityFeeOf(history),
  }
}

/**
 * What geth asks for unless told otherwise (`--miner.gasprice`, 0.001 gwei): less is not passed on.
 * @source go-ethereum 1.14.9, miner.DefaultConfig
 */
const leastPriorityFee = 1_000_000n

/** What `eth_feeHistory` tells of some blocks, oldest first, with one reward percentile asked for. */
export type FeeHistory = Readonly<{
  gasUsedRatio: readonly number[]
  /** In wei a gas; the first of each block counts. */
  reward?: readonly (readonly bigint[])[] | undefined
}>

/**
 * The tip, in wei a gas, that gets a transaction into the next blocks: the median over the blocks
 * that were not empty (of an even number, the higher one in the middle), and never less than what nodes pass on.
 */
export function priorityFeeOf({ gasUsedRatio, reward = [] }: FeeHistory): bigint {
  const tips = reward
    .filter((_, block) => (gasUsedRatio[block] ?? 0) > 0)
    .flatMap(([tip]) => (tip === undefined ? [] : [tip]))
    .sort((one, other) => (one < other ? -1 : 1))
  const median = tips[Math.floor(tips.length / 2)] ?? 0n
  return median > leastPriorityFee ? median : leastPriorityFee
}
