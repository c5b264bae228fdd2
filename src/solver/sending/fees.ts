import type { GasMarket } from '#src/core/pricing/gas/gas.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import type { Attempt } from '#src/requests/state/solverTransaction.ts'

/** In wei per unit of gas. */
export type Fees = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** Twice the base fee is enough for five full blocks in a row: each raises the base fee by an eighth. */
export const marketFees = ({ baseFeePerGas, priorityFeePerGas }: GasMarket): Fees => ({
  maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
  maxPriorityFeePerGas: priorityFeePerGas,
})

/** The fee plus an eighth, rounded up. Nodes accept a replacement only if both fees are a tenth higher. */
const raised = (fee: bigint): bigint => divUp(fee * 9n, 8n)

/** Fees of a transaction that replaces one with the fees `last`: an eighth higher, and at least the market's fees. */
export function raisedFees(last: Fees, market: Fees): Fees {
  const max = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxPriorityFeePerGas = max(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return {
    maxFeePerGas: max(max(raised(last.maxFeePerGas), market.maxFeePerGas), maxPriorityFeePerGas),
    maxPriorityFeePerGas,
  }
}
