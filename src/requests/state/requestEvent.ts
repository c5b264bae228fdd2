import type { Hash } from 'viem'
import type { FailReason, ObservedTransaction, RefundFailReason } from './requestState.ts'

type At = Readonly<{ transaction: ObservedTransaction }>

/** The place of the input that the event concerns. */
type OfInput = Readonly<{ input: number }>

/** Everything that can change the state of a request. */
export type RequestEvent =
  /** An approval, by the place of its step and item. */
  | (At & Readonly<{ type: 'approvalSeen' | 'approvalConfirmed'; step: number; item: number }>)
  /** An approval or a deposit reverted, by the place of its step and item. Another transaction may still pay. */
  | (At & Readonly<{ type: 'stepReverted'; step: number; item: number }>)
  /** A deposit: a block contains it; it funds the input; its block was orphaned. */
  | (At &
      OfInput &
      Readonly<{
        type: 'depositSeen' | 'depositCredited' | 'depositUndone'
        depositId: string
        /** Set if the deposit is smaller than ordered, or in another currency. */
        isIncomplete?: true
      }>)
  /** A deposit that cannot fund a request that still waits: it is refunded alone. */
  | (At & Readonly<{ type: 'depositRefused'; reason: FailReason }>)
  /** No deposit funded the input before the deposit deadline. */
  | (OfInput & Readonly<{ type: 'inputMissed' }>)
  /** The user's own swap: a block contains it; its block was orphaned; it is confirmed, as a success or reverted. */
  | (At & Readonly<{ type: 'swapSeen' | 'swapUndone' | 'swapConfirmed' | 'swapReverted' }>)
  /** The user's signature: it is stored; the solver has sent its transaction; it can no longer have an effect. */
  | Readonly<{ type: 'permitSigned' }>
  | (At & Readonly<{ type: 'permitSent' }>)
  | Readonly<{ type: 'permitFailed'; reason: FailReason }>
  /** A call that deposits: the relayer will send it; it has ended, with a deposit or without. */
  | Readonly<{ type: 'callAccepted' | 'callEnded' }>
  /** The solver's fill: stored or replaced; a block contains it; its block was orphaned; it is confirmed. */
  | (At & Readonly<{ type: 'fillMined' | 'fillUndone' | 'fillConfirmed' }>)
  | (At &
      Readonly<{
        type: 'fillSent'
        /** Set for a new fill that pays without the order's calls, because they have reverted. */
        skipsCalls?: true
      }>)
  /** The fill reverted in a final block. Another one is planned, or the request is refunded. */
  | Readonly<{ type: 'fillReverted' }>
  /** The solver will not fill the request. */
  | Readonly<{ type: 'refundDue'; reason: FailReason }>
  | (At & OfInput & Readonly<{ type: 'refundSent' | 'refundMined' | 'refundUndone' }>)
  | (At &
      OfInput &
      Readonly<{
        type: 'refundConfirmed'
        /** Set if the recipient did not accept the payment, and has to claim it. */
        isRefused?: true
      }>)
  /** The deposit of the input cannot be refunded. */
  | (OfInput & Readonly<{ type: 'refundFailed'; reason: RefundFailReason }>)
  /** A payment to the open deposit address of the request has got a request of its own. */
  | Readonly<{ type: 'superseded'; by: Hash }>
