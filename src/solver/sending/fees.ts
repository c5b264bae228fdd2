import type { GasMarket } from '#src/pricing/gas/gas.ts'
import type { Attempt } from '#src/requests/state/solverTransaction.ts'
import { divUp } from '#src/units/mulDiv.ts'

/** In wei for a unit of gas. */
export type Fees = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** Twice the base fee is enough for five full blocks in a row: each raises the base fee by an eighth. */
export const marketFees = ({ baseFeePerGas, priorityFeePerGas }: GasMarket): Fees => ({
  maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
  maxPriorityFeePerGas: priorityFeePerGas,
})

/** An eighth more, rounded up. For a replacement, nodes require a tenth more of both fees. */
const raised = (fee: bigint): bigint => divUp(fee * 9n, 8n)

/** Fees of a transaction that replaces one with the fees `last`: at least the market's present fees. */
export function raisedFees(last: Fees, market: Fees): Fees {
  const max = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxPriorityFeePerGas = max(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return {
    maxFeePerGas: max(max(raised(last.maxFeePerGas), market.maxFeePerGas), maxPriorityFeePerGas),
    maxPriorityFeePerGas,
  }
}
