import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { BlockHash, TxId } from '#src/core/units/txId.ts'
import { itemCountOf } from '#src/protocol/step.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'

/** Statuses of a request. @source docs/protocol.md §2 */
export const requestStatuses = [
  'waiting',
  'depositing',
  'pending',
  'submitted',
  'success',
  'failure',
  'refund',
] as const

export type RequestStatus = (typeof requestStatuses)[number]

/** A block that contains an observed transaction. */
export type ObservedBlock = Readonly<{
  number: bigint
  hash: BlockHash
  /** Seconds since 1970; absent in rows from before it was stored. */
  timestamp?: number
}>

/** A transaction with the block in which it was observed. */
export type ObservedTransaction = Readonly<{
  chainId: number
  hash: TxId
  /** The block that contains it; undefined while none does. */
  block?: ObservedBlock
  /**
   * What it paid the recipient of the request, or of the refund. Set once it is confirmed; absent if the chain does not
   * show the amount, and in rows from before it was stored.
   */
  paid?: Payment
  /** The app fees that a user's own swap paid out of its input. As above. */
  appFees?: readonly Readonly<{ recipient: Account; amount: Amount }>[]
}>

/** An amount that a transaction paid, as the chain shows it. */
export type Payment = Readonly<{
  recipient: Account
  currency: Account
  amount: Amount
  /** Native currency that a fill paid in addition, in wei. */
  topup?: Amount
  /** Amount that the recipient of a refund did not accept, and can claim from the depository. */
  claimable?: Amount
}>

/**
 * The progress of a step or payment.
 * - `signed`: the user has signed, and the solver will send the transaction.
 * - `sent`: sent, but not in a block yet. `seen`: in a block. `confirmed`: in a block with enough confirmations.
 * - `reverted`: a confirmed block contains it, and it had no effect. Another one may take its place.
 * - `implied`: not observed itself, but a confirmed transaction depends on it.
 * - `skipped`: will not happen, as the request ends without it.
 */
export type Progress =
  | Readonly<{ status: 'waiting' | 'signed' | 'implied' | 'skipped' }>
  | Readonly<{
      status: 'sent' | 'seen' | 'confirmed' | 'reverted'
      transaction: ObservedTransaction
    }>

/** The transaction of a progress; undefined if it has none. */
export const transactionOf = (progress: Progress | undefined): ObservedTransaction | undefined =>
  progress !== undefined && 'transaction' in progress ? progress.transaction : undefined

/** Reasons for a request that was not filled, or filled without its calls. @source docs/protocol.md §6 */
export const failReasons = [
  'SLIPPAGE',
  'TOO_LITTLE_RECEIVED',
  'ORDER_EXPIRED',
  'SOLVER_BALANCE_TOO_LOW',
  'SOLVER_CAPACITY_EXCEEDED',
  'INCORRECT_DEPOSIT_CURRENCY',
  'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
  'DOUBLE_SPEND',
  'EXECUTION_REVERTED',
  'TRANSACTION_REVERTED',
  'NO_QUOTES',
  'SPONSOR_BALANCE_TOO_LOW',
  'SIGNATURE_EXPIRED',
  'INVALID_NONCE',
  'TRANSACTION_NOT_INCLUDED',
  'UNKNOWN',
] as const

export type FailReason = (typeof failReasons)[number]

/** Reasons for a deposit that could not be refunded, or whose refund its recipient has to claim. */
export const refundFailReasons = [
  'AMOUNT_TOO_LOW_TO_REFUND',
  'EXECUTION_REVERTED',
  'RECIPIENT_REFUSED',
] as const

export type RefundFailReason = (typeof refundFailReasons)[number]

/** The public state of a request. Each change has the next `seq`. */
export type RequestState = Readonly<{
  status: RequestStatus
  /** Number of changes so far; 0 for the stored quote. */
  seq: number
  /** Set once the user has signed the payment: the solver sends it. */
  isSigned?: true
  /** Set while the relayer sends a call that deposits. */
  isSubmitted?: true
  /** Set once the request will not be filled, or is filled without the order's calls. */
  failReason?: FailReason
  /** Why the newest deposit that could not fund the request is refunded alone. Set while the request waits on. */
  refusedDeposit?: FailReason
  /** Set once the refund of at least one deposit has failed. */
  refundFailReason?: RefundFailReason
  /** Hashes of the user's transactions: deposits, or the user's own swap. Of many deposits only the first are kept. */
  inTxHashes: readonly TxId[]
  /** Hashes of the paying transactions: the fill, the refunds, or the user's own swap. */
  txHashes: readonly TxId[]
  /** Progress of the quote's steps: `steps[step][item]`. */
  steps: readonly (readonly Progress[])[]
  /** The solver's payment on the destination chain; undefined if the user swaps without the solver. */
  fill?: Progress
  /** One per input of the request; empty if the user swaps without the solver. */
  inputStates: readonly InputState[]
  /** Set once refunds are due: one per input, `skipped` if it has nothing to refund or the refund failed. */
  refunds?: readonly Progress[]
  /** For an open deposit address, the request of the newest payment. */
  supersededBy?: Hash
  /** Time of the last change of anything, not only of the status. Unix time in milliseconds. */
  updatedAt: number
}>

/** A change as stored and published, with the whole state after it. */
export type RequestChange = Readonly<{ requestId: Hash; state: RequestState }>

/** The state of a quote without any observed transaction. */
export const initialState = (request: QuotedRequest): RequestState => ({
  status: 'waiting',
  seq: 0,
  inTxHashes: [],
  txHashes: [],
  steps: request.steps.map((step) =>
    Array.from({ length: itemCountOf(step) }, () => ({ status: 'waiting' })),
  ),
  inputStates: request.execution === 'solver' ? request.inputs.map(() => ({ status: 'open' })) : [],
  ...(isFilled(request) && { fill: { status: 'waiting' } }),
  updatedAt: request.createdAt,
})

/** Whether our solver, or another service's, pays for the deposit. */
const isFilled = ({ execution, steps }: QuotedRequest): boolean =>
  execution === 'solver' || (execution === 'upstream' && steps.at(-1)?.id === 'deposit')

/** Whether a request with this status awaits deposits. */
export const isAwaiting = (status: RequestStatus): boolean =>
  status === 'waiting' || status === 'depositing'

const terminalStatuses: readonly RequestStatus[] = ['success', 'failure', 'refund']

/** success, failure and refund are terminal. */
export const isTerminal = (status: RequestStatus): boolean => terminalStatuses.includes(status)

/** A quoted request with its current state. */
export type StoredRequest = QuotedRequest &
  Readonly<{
    state: RequestState
    /** Each save adds 1 and fails if the stored version differs. */
    version: number
  }>

/** The state of one input. `missed`: no deposit funded it before the deposit deadline. */
export type InputState =
  | Readonly<{ status: 'open' | 'missed' }>
  /** `depositId`: the deposit that funds it. `isIncomplete`: it is smaller than ordered, or in another currency. */
  | Readonly<{ status: 'funded'; depositId: string; isIncomplete?: true }>

type WithInputStates = Readonly<{ state: Readonly<{ inputStates: readonly InputState[] }> }>

/** Whether a deposit that funds the request is smaller than ordered, or in another currency. */
export const isIncomplete = ({ inputStates }: RequestState): boolean =>
  inputStates.some((each) => each.status === 'funded' && each.isIncomplete)

/** Ids of the deposits that fund the request. */
export const fundingDepositIds = ({ state: { inputStates } }: WithInputStates): readonly string[] =>
  inputStates.flatMap((each) => (each.status === 'funded' ? [each.depositId] : []))

/** Place of the input that the deposit funds; undefined if it funds none. */
export function inputFundedBy({ state: { inputStates } }: WithInputStates, depositId: string) {
  const at = inputStates.findIndex(
    (each) => each.status === 'funded' && each.depositId === depositId,
  )
  return at < 0 ? undefined : at
}
