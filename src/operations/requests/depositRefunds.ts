import type { Deposit } from '#src/requests/state/deposit.ts'
import type { Progress, RequestState } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Amount } from '#src/units/amount.ts'

/** A deposit of a request, with the progress of its refund if one is sent. */
export type DepositWithRefund = Deposit &
  Readonly<{
    refund?: Progress
    /** Amount that the solver's refund pays, in the deposit's currency: the deposit less the gas. */
    refundAmount?: Amount
  }>

/**
 * Adds its refund to each deposit: a transaction of the solver, or someone else's transaction that the request shows.
 */
export function withRefunds(
  deposits: readonly Deposit[],
  transactions: readonly SolverTransaction[],
  state: RequestState,
): readonly DepositWithRefund[] {
  return deposits.map((deposit) => {
    const own = transactions.find(
      ({ purpose, status, depositIds }) =>
        purpose === 'refund' && status !== 'reverted' && depositIds.includes(deposit.depositId),
    )
    const input = inputFundedBy({ state }, deposit.depositId)
    const shown = input === undefined ? undefined : state.refunds?.[input]
    const refund = own === undefined ? shown : progressOf(own)
    const refundAmount = own?.spends[0]?.amount
    return {
      ...deposit,
      ...(refund && { refund }),
      ...(refundAmount !== undefined && { refundAmount }),
    }
  })
}

function progressOf({ chainId, attempts, status, mined }: SolverTransaction): Progress | undefined {
  if (mined !== undefined)
    return { status: status === 'final' ? 'confirmed' : 'seen', transaction: { chainId, ...mined } }
  const last = attempts.at(-1)
  return last && { status: 'sent', transaction: { chainId, hash: last.hash } }
}
