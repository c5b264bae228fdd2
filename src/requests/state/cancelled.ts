import { parseTransaction } from 'viem'
import type { Attempt, SolverTransaction } from './solverTransaction.ts'

/** Whether an attempt only uses the nonce of its transaction. */
export function isCancellation(
  { account }: Pick<SolverTransaction, 'account'>,
  { raw }: Pick<Attempt, 'raw'>,
): boolean {
  const { to, data = '0x', value = 0n } = parseTransaction(raw)
  return to?.toLowerCase() === account && data === '0x' && value === 0n
}

/** Whether the transaction itself reverted in a block. A cancelled or replaced transaction did not. */
export function isReverted(transaction: SolverTransaction): boolean {
  const { status, mined, attempts } = transaction
  const attempt = attempts.find(({ hash }) => hash === mined?.hash)
  return status === 'reverted' && attempt !== undefined && !isCancellation(transaction, attempt)
}

/** Whether the last attempt is a cancellation. No paying attempt follows. */
export function isCancelled(transaction: Pick<SolverTransaction, 'account' | 'attempts'>): boolean {
  const last = transaction.attempts.at(-1)
  return last !== undefined && isCancellation(transaction, last)
}
