import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { GasMarket } from '#src/pricing/gas/gas.ts'

/** Number of blocks whose tips the priority fee is the median of. */
const feeBlocks = 10

/**
 * The base fee of the block after `block`, and the priority fee, in wei per gas, from one `eth_feeHistory`. On a chain
 * without EIP-1559, the base fee is 0 and the priority fee is the gas price.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
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
 * Geth's default minimum tip (`--miner.gasprice`), 0.001 gwei.
 * @source go-ethereum 1.14.9, miner.DefaultConfig
 */
const minPriorityFee = 1_000_000n

/**
 * The tip, in wei per gas, that gets a transaction into the next blocks: the median tip of recent blocks (the upper
 * median of an even number), at least `minPriorityFee`. An empty block counts with a tip of 0.
 */
export function priorityFeeOf(rewards: readonly (readonly bigint[])[]): bigint {
  const tips = rewards.map(([tip = 0n]) => tip).sort((one, other) => (one < other ? -1 : 1))
  const median = tips[Math.floor(tips.length / 2)] ?? 0n
  return median > minPriorityFee ? median : minPriorityFee
}
