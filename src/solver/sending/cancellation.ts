import { parseTransaction } from 'viem'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Attempt, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Address } from '#src/units/address.ts'

/** Takes a nonce and does nothing: the account pays itself nothing. */
export const cancellationOf = (account: Address): TransactionCall => ({
  to: account,
  data: '0x',
  value: 0n,
})

/** Whether an attempt does nothing but take the transaction's nonce. */
export function isCancellation(
  { account }: Pick<SolverTransaction, 'account'>,
  { raw }: Pick<Attempt, 'raw'>,
): boolean {
  const { to, data = '0x', value = 0n } = parseTransaction(raw)
  return to?.toLowerCase() === account && data === '0x' && value === 0n
}

/** Whether the last attempt does so: none that pays is made any more. */
export function isCancelled(transaction: Pick<SolverTransaction, 'account' | 'attempts'>): boolean {
  const last = transaction.attempts.at(-1)
  return last !== undefined && isCancellation(transaction, last)
}
