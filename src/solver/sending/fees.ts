import type { GasMarket } from '#src/pricing/gas/gas.ts'
import type { Attempt } from '#src/requests/state/solverTransaction.ts'
import { divUp } from '#src/units/mulDiv.ts'

/** What a transaction offers for a unit of gas, in wei. */
export type Fees = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** Twice the base fee outlasts five full blocks in a row, each of which raises it by an eighth. */
export const marketFees = ({ baseFeePerGas, priorityFeePerGas }: GasMarket): Fees => ({
  maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
  maxPriorityFeePerGas: priorityFeePerGas,
})

/** An eighth more, rounded up: nodes ask for a tenth more of both before one takes another's place. */
const raised = (fee: bigint): bigint => divUp(fee * 9n, 8n)

/** What replaces a transaction that offers `last`: no less than the market asks for now. */
export function raisedFees(last: Fees, market: Fees): Fees {
  const most = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxPriorityFeePerGas = most(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return {
    maxFeePerGas: most(most(raised(last.maxFeePerGas), market.maxFeePerGas), maxPriorityFeePerGas),
    maxPriorityFeePerGas,
  }
}
