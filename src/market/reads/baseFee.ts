import type { FeeBlock } from '#src/chains/chainEvent.ts'

/** Computes base fees on chains where one of the known formulas is verified. */
export type BaseFees = Readonly<{
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
