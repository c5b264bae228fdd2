import type { Deposit } from '#src/requests/state/deposit.ts'
import { inputFundedBy } from '#src/requests/state/funding.ts'
import type { Progress, RequestState } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

/** What arrived for a request, and how far the payment back has come; absent where none was sent. */
export type RepaidDeposit = Deposit & Readonly<{ refund?: Progress }>

/** Deposits with what pays them back: the solver's transactions, or what the request shows where others brought it. */
export function repaidDeposits(
  deposits: readonly Deposit[],
  transactions: readonly SolverTransaction[],
  state: RequestState,
): readonly RepaidDeposit[] {
  return deposits.map((deposit) => {
    const own = transactions.find(
      ({ purpose, status, depositIds }) =>
        purpose === 'refund' && status !== 'reverted' && depositIds.includes(deposit.depositId),
    )
    const input = inputFundedBy({ state }, deposit.depositId)
    const shown = input === undefined ? undefined : state.refunds?.[input]
    const refund = own === undefined ? shown : progressOf(own)
    return { ...deposit, ...(refund && { refund }) }
  })
}

function progressOf({ chainId, attempts, status, mined }: SolverTransaction): Progress | undefined {
  if (mined !== undefined)
    return { status: status === 'final' ? 'confirmed' : 'seen', transaction: { chainId, ...mined } }
  const last = attempts.at(-1)
  return last && { status: 'sent', transaction: { chainId, hash: last.hash } }
}
