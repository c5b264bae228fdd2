import type { FailReason, RefundFailReason, TransactionSighting } from './requestState.ts'

type At = Readonly<{ transaction: TransactionSighting }>

/** Which of the request's inputs it is about, by its place. */
type Of = Readonly<{ input: number }>

/** What may happen to a request, as far as it changes what the request shows. */
export type RequestEvent =
  /** An approval, by its place among the steps. */
  | (At & Readonly<{ type: 'approvalSeen' | 'approvalConfirmed'; step: number; item: number }>)
  /** A deposit for it is in a block; is deep enough for the solver to count on; is in no block any more. */
  | (At &
      Of &
      Readonly<{ type: 'depositSeen' | 'depositCredited' | 'depositUndone'; depositId: string }>)
  /** Nothing that counts has come for the input in time. */
  | (Of & Readonly<{ type: 'inputMissed' }>)
  /** Where the user swaps alone: in a block; in none any more; deep enough to count, with or without effect. */
  | (At & Readonly<{ type: 'swapSeen' | 'swapUndone' | 'swapConfirmed' | 'swapReverted' }>)
  /** The solver's payment: written ahead, or replaced; in a block; in none any more; deep enough to count. */
  | (At & Readonly<{ type: 'fillSent' | 'fillMined' | 'fillUndone' | 'fillConfirmed' }>)
  /** The payment failed for good on the chain: it is planned again, or refunded. */
  | Readonly<{ type: 'fillReverted' }>
  /** The solver will not fill it. */
  | Readonly<{ type: 'refundDue'; reason: FailReason }>
  | (At &
      Of &
      Readonly<{ type: 'refundSent' | 'refundMined' | 'refundUndone' | 'refundConfirmed' }>)
  /** Nor can it be paid back. */
  | (Of & Readonly<{ type: 'refundFailed'; reason: RefundFailReason }>)
