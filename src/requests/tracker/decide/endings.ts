import type { DepositPayment } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

type Mined = NonNullable<SolverTransaction['mined']>

/** A transaction of the solver that had no effect, in a final block. */
export type Failure = Readonly<{
  /** `cancelled`: an attempt landed that only uses the nonce. */
  kind: 'reverted' | 'cancelled'
  mined: Mined
  /** In the smallest unit of the native currency. */
  cost: bigint
}>

/** A payout of the depository in a final block, from any sender. */
export type Payout = Mined &
  Readonly<{
    /** `refund`: to the depositor, who may have left alone. */
    kind: 'settlement' | 'refund'
    depositId: string
    /** Payments to others than the solver. */
    payments: readonly DepositPayment[]
  }>

/** Ends that the tracker itself finds, on chains where it reads the outcome of every transaction. */
export type Endings = Readonly<{ failures: readonly Failure[]; payouts: readonly Payout[] }>
