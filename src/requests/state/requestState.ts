import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'

type Hash = `0x${string}`

/** A transaction where it was found. */
export type TransactionSighting = Readonly<{
  chainId: number
  hash: Hash
  /** The block that holds it; undefined while none does. */
  block?: Readonly<{ number: bigint; hash: Hash }>
}>

/**
 * How far a transaction has come: in a block, and deep enough in the chain to count. `implied`: not seen
 * itself, but what counts could not have been made without it. `skipped`: not to come, as the request ends otherwise.
 */
export type Progress =
  | Readonly<{ status: 'waiting' | 'implied' | 'skipped' }>
  | Readonly<{ status: 'sent' | 'seen' | 'confirmed'; transaction: TransactionSighting }>

/** Undefined where none was seen. */
export const transactionOf = (progress: Progress | undefined): TransactionSighting | undefined =>
  progress !== undefined && 'transaction' in progress ? progress.transaction : undefined

/** Why a request was not filled. @source PROTOCOL §6 */
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
  'UNKNOWN',
] as const

export type FailReason = (typeof failReasons)[number]

/** Why a deposit could not be paid back either. */
export const refundFailReasons = ['AMOUNT_TOO_LOW_TO_REFUND', 'EXECUTION_REVERTED'] as const

export type RefundFailReason = (typeof refundFailReasons)[number]

/** How a request stands, all of it public. A change of any of it makes the next `seq`. */
export type RequestState = Readonly<{
  status: RequestStatus
  /** Counts the changes: 0 is the quote as it was stored. */
  seq: number
  /** Set once it is known that the request will not be filled. */
  failReason?: FailReason
  /** Set once a refund that was due has failed: of one deposit, where there are several. */
  refundFailReason?: RefundFailReason
  /** What the user sent: deposits, or the swap where the user swaps alone. */
  inTxHashes: readonly Hash[]
  /** What paid: the fill, the refunds, or the swap where the user swaps alone. */
  txHashes: readonly Hash[]
  /** The user's own steps, by their place among the quote's: `steps[at].items[at]`. */
  steps: readonly (readonly Progress[])[]
  /** The solver's payment on the destination chain; undefined where the user swaps alone. */
  fill?: Progress
  /** One an input of the request; none where the user swaps alone. */
  fundings: readonly InputFunding[]
  /** The payments back, once they are due: one an input, `skipped` where nothing is to be paid back, or can be. */
  refunds?: readonly Progress[]
  /** Milliseconds since 1970. */
  updatedAt: number
}>

/** A change as it is stored and published: the whole state after it. */
export type RequestChange = Readonly<{ requestId: Hash; state: RequestState }>

/** Before anything was seen of it. */
export const initialState = (request: QuotedRequest): RequestState => ({
  status: 'waiting',
  seq: 0,
  inTxHashes: [],
  txHashes: [],
  steps: request.steps.map(({ items }) => items.map(() => ({ status: 'waiting' }))),
  fundings: request.execution === 'solver' ? request.inputs.map(() => ({ status: 'open' })) : [],
  ...(request.execution === 'solver' && { fill: { status: 'waiting' } }),
  updatedAt: request.createdAt,
})

/** Whether a request of this status has deposits to come. */
export const isAwaiting = (status: RequestStatus): boolean =>
  status === 'waiting' || status === 'depositing'

const terminalStatuses: readonly RequestStatus[] = ['success', 'failure', 'refund']

/** Whether nothing changes a request of this status any more. */
export const isTerminal = (status: RequestStatus): boolean => terminalStatuses.includes(status)

/** A quoted request and what became of it. */
export type StoredRequest = QuotedRequest &
  Readonly<{
    state: RequestState
    /** Counts all saves: the store saves none that has moved on. */
    version: number
  }>

/** What has become of one input of a request. `missed`: nothing that counts has come for it in time. */
export type InputFunding =
  | Readonly<{ status: 'open' | 'missed' }>
  /** By the deposit that the request counts on. */
  | Readonly<{ status: 'funded'; depositId: string }>

type Funded = Readonly<{ state: Readonly<{ fundings: readonly InputFunding[] }> }>

/** The deposits that the request counts on. */
export const fundingDepositIds = ({ state: { fundings } }: Funded): readonly string[] =>
  fundings.flatMap((each) => (each.status === 'funded' ? [each.depositId] : []))

/** The place of the input that counts on the deposit; undefined where none does. */
export function inputFundedBy({ state: { fundings } }: Funded, depositId: string) {
  const at = fundings.findIndex((each) => each.status === 'funded' && each.depositId === depositId)
  return at < 0 ? undefined : at
}
