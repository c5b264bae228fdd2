import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import { z } from 'zod'
import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { UpstreamStore } from '#src/requests/claimedWork.ts'
import type { BatchStore } from '#src/requests/requestStore.ts'
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
import {
  UpstreamAnswerError,
  type UpstreamClient,
  UpstreamUnavailableError,
} from './upstreamClient.ts'

type Deps = Readonly<{
  log: Pick<Log, 'warn'>
  store: UpstreamStore & BatchStore
  client: UpstreamClient
  /** Unix time in milliseconds. */
  now: () => number
}>

/** Maximum number of parallel status checks. It leaves the service's capacity to prices and quotes. */
const batch = 8

/** Duration of a claim. A process that has not finished the check by then has stopped, and another one repeats it. */
const claimMs = 30_000

/** Interval between two searches for due checks. */
const searchMs = 500

/** Delay of the next check after a failure, or if another service gave the quote. */
const retryMs = 10_000

/**
 * Follows the requests that another service executes. Polls the status of each from the service and stores its changes,
 * so that subscribers, webhooks and lists show them like those of any other request.
 */
export function createFollower({ log, store, client, now }: Deps) {
  async function checkStatus(request: StoredRequest): Promise<StoredRequest['state']> {
    if (request.execution !== 'upstream') throw new Error(`${request.requestId} is our own`)
    const path = `/intents/status/v3?requestId=${request.upstream.requestId}`
    const state = stateAfter(request, parseStatus(await client.ask({ path })), now())
    // After a conflict, the next check uses the newer row.
    if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
    return state
  }

  /** Checks the request. Returns the time of its next check (Unix ms); undefined once it has ended. */
  async function dueAfter(request: StoredRequest): Promise<number | undefined> {
    if (request.execution !== 'upstream' || isTerminal(request.state.status)) return undefined
    if (request.upstream.service !== client.service) return nextCheckAt(request, now() + retryMs)
    try {
      const state = await checkStatus(request)
      return isTerminal(state.status) ? undefined : nextCheckAt({ ...request, state }, now())
    } catch (error) {
      // The client logs outages.
      if (!(error instanceof UpstreamUnavailableError))
        log.warn(
          { reason: reasonOf(error), requestId: request.requestId },
          'Could not check the status of a request',
        )
      return nextCheckAt(request, now() + retryMs)
    }
  }

  /** Returns the number of checked requests. */
  async function round(): Promise<number> {
    const until = now() + claimMs
    const due = await store.claimUpstream({ now: now(), until, limit: batch })
    await Promise.all(
      due.map(async (request) => {
        const dueAt = await dueAfter(request)
        await store.scheduleUpstream(request.requestId, { until, dueAt })
      }),
    )
    return due.length
  }

  return {
    /** Runs until `signal` fires. An interrupted check is repeated. */
    run: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) if ((await round()) < batch) await pause(searchMs, signal)
    },
  }
}

const minMs = 1_000
/** Maximum interval while nothing is deposited. Anybody can create open quotes, so that each must cause little load. */
const maxWaitingMs = 600_000
const maxPaidMs = 60_000
const afterDeadlineMs = 3_600_000

/** Days after the deadline in which the status is still checked for a late deposit. */
const lateDays = 7

/**
 * Time of a request's next status check, Unix milliseconds: after a twentieth of the time since its last change, so
 * that a status is shown at most 5 % late. Undefined once no more changes are expected.
 */
function nextCheckAt({ state, deadline }: StoredRequest, now: number): number | undefined {
  const isOpen = isAwaiting(state.status)
  const late = now - deadline * 1000
  if (isOpen && late > lateDays * 86_400_000) return undefined
  if (isOpen && late > 0) return now + afterDeadlineMs
  const maxMs = isOpen ? maxWaitingMs : maxPaidMs
  return now + Math.max(minMs, Math.min(maxMs, Math.floor((now - state.updatedAt) / 20)))
}

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
