import type { ChainClient } from '#src/chains/chainClient.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { GasMarket } from '#src/pricing/gas/gas.ts'

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
    priorityFeePerGas: priorityFeeOf(history.reward ?? []),
  }
}

/**
 * What geth asks for unless told otherwise (`--miner.gasprice`, 0.001 gwei): less is not passed on.
 * @source go-ethereum 1.14.9, miner.DefaultConfig
 */
const leastPriorityFee = 1_000_000n

/**
 * The tip, in wei a gas, that gets a transaction into the next blocks: the median of the rewards, of
 * which an empty block gives 0 (of an even number, the higher one in the middle), and never less than
 * what nodes pass on.
 */
export function priorityFeeOf(rewards: readonly (readonly bigint[])[]): bigint {
  const tips = rewards.map(([tip = 0n]) => tip).sort((one, other) => (one < other ? -1 : 1))
  const median = tips[Math.floor(tips.length / 2)] ?? 0n
  return median > leastPriorityFee ? median : leastPriorityFee
}
