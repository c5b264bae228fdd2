import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import {
  isAwaiting,
  isTerminal,
  type Progress,
  type RequestState,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { UpstreamStatus } from './statusAnswer.ts'

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
