import type { DatedBlock, FeeBlock } from '#src/chains/chainEvent.ts'
import type { GasPriceReader } from '#src/chains/rpc/chainClient.ts'
import type { GasMarket } from '#src/core/pricing/gas/gas.ts'
import { createBaseFees } from './baseFee.ts'

/** Number of recent blocks whose tips are used for the median priority fee. */
const feeBlocks = 10

type GasFees = Omit<GasMarket, 'l1DataFee'>

/**
 * Reads the base fee of the block after `block`, and the priority fee, in wei per gas. On a chain without EIP-1559, the
 * base fee is 0 and the priority fee is the gas price.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export type ReadGasFees = (block: DatedBlock & FeeBlock) => Promise<GasFees>

/**
 * A median tip is reused for fewer blocks than it was computed from, so that it never misses all of the newest blocks.
 */
const maxBlocksBetween = BigInt(feeBlocks)

/**
 * One `eth_feeHistory` returns both fees. If the base fee can be computed, only the tips must be read: in every second
 * block, or once a second if blocks come faster.
 */
export function createGasFees(client: GasPriceReader): ReadGasFees {
  const baseFees = createBaseFees()
  let asked: Readonly<{ number: bigint; timestamp: bigint; priorityFeePerGas: bigint }> | undefined

  return async (block) => {
    const { number, timestamp, baseFeePerGas } = block
    if (baseFeePerGas === null)
      return { baseFeePerGas: 0n, priorityFeePerGas: await client.getGasPrice() }
    baseFees.learn(block)
    const computed = baseFees.after(block)
    if (computed !== undefined && asked !== undefined) {
      const blocks = number - asked.number
      const isRecent = blocks < 2n || timestamp <= asked.timestamp
      if (blocks >= 0n && blocks < maxBlocksBetween && isRecent)
        return { baseFeePerGas: computed, priorityFeePerGas: asked.priorityFeePerGas }
    }
    const history = await client.getFeeHistory({
      blockCount: feeBlocks,
      blockNumber: number,
      rewardPercentiles: [50],
    })
    const priorityFeePerGas = priorityFeeOf(history.reward ?? [])
    asked = { number, timestamp, priorityFeePerGas }
    return { baseFeePerGas: history.baseFeePerGas.at(-1) ?? baseFeePerGas, priorityFeePerGas }
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
