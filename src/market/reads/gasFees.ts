import type { DatedBlock, FeeBlock } from '#src/chains/chainEvent.ts'
import type { GasPriceReader } from '#src/chains/rpc/chainClient.ts'
import type { EvmGasMarket, L1DataFee } from '#src/core/pricing/gas/gas.ts'
import {
  arbGasInfoAbi,
  arbGasInfoAddress,
  gasPriceOracleAbi,
  gasPriceOracleAddress,
} from '#src/protocol/contracts/abis.ts'
import { read } from './readAll.ts'

/** Number of recent blocks whose tips are used for the median priority fee. */
const feeBlocks = 10

type GasFees = Omit<EvmGasMarket, 'vmType' | 'l1DataFee'>

/**
 * Reads the base fee of the block after `block`, and the priority fee, in wei per gas. On a chain without EIP-1559, the
 * base fee is 0 and the priority fee is the gas price.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
type ReadGasFees = (block: DatedBlock & FeeBlock) => Promise<GasFees>

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

/** Computes base fees on chains where one of the known formulas is verified. */
type BaseFees = Readonly<{
  /** Compares the formulas with a block. A block that is not the child of the last block is only remembered. */
  learn: (block: FeeBlock) => void
  /** The base fee of the child of a block, in wei per gas. Undefined while no formula is verified. */
  after: (block: FeeBlock) => bigint | undefined
}>

/** Returns the base fee of the next block, in wei per gas, from the base fee and the gas of a block. */
type Formula = (baseFee: bigint, gas: NonNullable<FeeBlock['gas']>) => bigint

/** @source EIP-1559, "Specification": calculation of `expected_base_fee_per_gas` */
export const eip1559 =
  (elasticity: bigint, denominator: bigint): Formula =>
  (baseFee, { used, limit }) => {
    const target = limit / elasticity
    if (target === 0n || used === target) return baseFee
    if (used < target) return baseFee - (baseFee * (target - used)) / target / denominator
    const rise = (baseFee * (used - target)) / target / denominator
    return baseFee + (rise > 0n ? rise : 1n)
  }

/** The parameters of Ethereum, OP chains and Polygon, and the formula of chains with a constant base fee. */
const formulas: readonly Formula[] = [
  eip1559(2n, 8n),
  eip1559(6n, 250n),
  eip1559(2n, 64n),
  (baseFee) => baseFee,
]

/** Number of consecutive blocks that must match a formula exactly. The first mismatch resets the count. */
export const provingBlocks = 32

export function createBaseFees(): BaseFees {
  const hits = formulas.map(() => 0)
  let last: FeeBlock | undefined

  return {
    learn(block) {
      const parent = last
      if (parent?.hash === block.hash) return
      last = block
      if (parent === undefined || parent.hash !== block.parentHash) return
      for (const [at, formula] of formulas.entries()) {
        const isRight = feeBy(formula, parent) === block.baseFeePerGas
        hits[at] = isRight ? (hits[at] ?? 0) + 1 : 0
      }
    },
    after(block) {
      const proved = formulas.find((_, at) => (hits[at] ?? 0) >= provingBlocks)
      return proved && feeBy(proved, block)
    },
  }
}

const feeBy = (formula: Formula, { baseFeePerGas, gas }: FeeBlock): bigint | undefined =>
  baseFeePerGas === null || gas === null ? undefined : formula(baseFeePerGas, gas)

type Model = L1DataFee['model']

const oracleFields = ['l1BaseFee', 'blobBaseFee', 'baseFeeScalar', 'blobBaseFeeScalar'] as const

/** The reads that the fee model of a chain needs at each block. */
export const l1DataFeeReads = (model: Model) => ({
  oracle:
    model === 'opStack'
      ? oracleFields.map((field) => read(gasPriceOracleAddress, gasPriceOracleAbi, field, []))
      : [],
  arbitrum:
    model === 'arbitrum' ? [read(arbGasInfoAddress, arbGasInfoAbi, 'getPricesInWei', [])] : [],
})

type Answers = Readonly<{
  oracle: readonly (bigint | number | undefined)[]
  arbitrum: readonly (readonly bigint[] | undefined)[]
}>

/**
 * The L1 data fee from the answers to `l1DataFeeReads`.
 * @returns undefined if an answer is missing: the chain lacks the predeploy, or the node's answer is invalid.
 */
export function toL1DataFee(model: Model, { oracle, arbitrum }: Answers): L1DataFee | undefined {
  switch (model) {
    case 'none':
      return { model }
    case 'opStack': {
      const [l1BaseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar] = oracle.map((field) =>
        field === undefined ? undefined : BigInt(field),
      )
      if (l1BaseFee === undefined || blobBaseFee === undefined) return undefined
      if (baseFeeScalar === undefined || blobBaseFeeScalar === undefined) return undefined
      return { model, l1BaseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }
    }
    case 'arbitrum': {
      const perL1CalldataByte = arbitrum[0]?.[1]
      return perL1CalldataByte === undefined ? undefined : { model, perL1CalldataByte }
    }
  }
}
