import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import { z } from 'zod'
import {
  type FailReason,
  failReasons,
  isAwaiting,
  isTerminal,
  type Progress,
  type RefundFailReason,
  type RequestState,
  type RequestStatus,
  refundFailReasons,
  requestStatuses,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import { UpstreamAnswerError } from './upstreamErrors.ts'

/**
 * The state of a request that another service executes, after that service's answer at `at` (Unix ms), with the next
 * `seq`. Returns the same object if nothing changes. A terminal status never changes. Statuses between two polls are
 * skipped.
 */
export function stateAfter(
  request: StoredRequest,
  given: UpstreamStatus,
  at: number,
): RequestState {
  const { state, originChainId, destinationChainId } = request
  if (isTerminal(state.status)) return state
  const { failReason, refundFailReason, inTxHashes, txHashes } = given
  const status = shownStatus(given)
  const { failReason: _, refundFailReason: __, refunds: ___, ...rest } = state
  const payment = paymentOf(status === 'refund' ? originChainId : destinationChainId, txHashes[0])
  const after: RequestState = {
    ...rest,
    status,
    inTxHashes,
    txHashes,
    steps: stepsOf(request, isAwaiting(status) ? undefined : depositOf(originChainId, inTxHashes)),
    ...(failReason !== undefined && { failReason }),
    ...(refundFailReason !== undefined && { refundFailReason }),
    ...(state.fill !== undefined && { fill: fillAt(status, payment) }),
    ...(status === 'refund' && { refunds: [payment] }),
  }
  if (isDeepStrictEqual(after, state)) return state
  return { ...after, seq: state.seq + 1, updatedAt: at }
}

/** Shows `submitted` for a `success` without a payment hash, because clients need the hash with `success`. */
const shownStatus = ({ status, txHashes }: UpstreamStatus): RequestState['status'] =>
  status === 'success' && txHashes.length === 0 ? 'submitted' : status

function fillAt(status: RequestState['status'], payment: Progress): Progress {
  if (status === 'success') return payment
  return { status: isTerminal(status) ? 'skipped' : 'waiting' }
}

const paymentOf = (chainId: number, hash: Hash | undefined): Progress =>
  hash === undefined
    ? { status: 'implied' }
    : { status: 'confirmed', transaction: { chainId, hash } }

/** The newest of the user's transactions. */
const depositOf = (chainId: number, hashes: readonly Hash[]): Progress =>
  paymentOf(chainId, hashes.at(-1))

/** The last item is the deposit. It proves the approvals before it. */
function stepsOf(
  { state: { steps } }: StoredRequest,
  deposit: Progress | undefined,
): RequestState['steps'] {
  const last = steps.length - 1
  return steps.map((items, step) =>
    items.map((_, item): Progress => {
      if (deposit === undefined) return { status: 'waiting' }
      return step === last && item === items.length - 1 ? deposit : { status: 'implied' }
    }),
  )
}

/** Status of a request at another service: the fields of /intents/status/v3 that are used. */
type UpstreamStatus = Readonly<{
  status: RequestStatus
  failReason: FailReason | undefined
  refundFailReason: RefundFailReason | undefined
  inTxHashes: readonly Hash[]
  txHashes: readonly Hash[]
}>

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hash)

const hashes = z.array(hash).max(64).default([])

/** Unknown reasons become `UNKNOWN`. */
const reason = z
  .string()
  .nullish()
  .transform((text): FailReason | undefined => {
    if (text == null || text === '' || text === 'N/A') return undefined
    return failReasons.find((each) => each === text) ?? 'UNKNOWN'
  })

const refundReason = z
  .string()
  .nullish()
  .transform((text) => refundFailReasons.find((each) => each === text))

const statusAnswer: z.ZodType<UpstreamStatus> = z.object({
  status: z.enum(requestStatuses),
  failReason: reason,
  refundFailReason: refundReason,
  inTxHashes: hashes,
  txHashes: hashes,
})

/** @throws UpstreamAnswerError that names the first wrong field. */
export function parseStatus(json: unknown): UpstreamStatus {
  const parsed = statusAnswer.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UpstreamAnswerError(`its status has a wrong ${issue?.path.join('.') || 'shape'}`)
}
