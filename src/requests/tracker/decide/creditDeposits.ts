import type { Deposit } from '#src/requests/state/deposit.ts'
import { isGathering } from '#src/requests/state/ownSteps.ts'
import { type FailReason, isAwaiting } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { isOpenInput, type Payable, payableOf } from './depositInput.ts'
import { tell } from './observeDeposits.ts'
import type { Draft } from './unitOfWork.ts'

/**
 * Blocks on top of the usual confirmations before a request counts on a deposit that is not as ordered. Whoever
 * learns an order from the mempool may deposit next to nothing for it a block before the user: the user's own
 * deposit has so long to come, and goes before it.
 */
const graceBlocks = 10

/** The height at which a seen deposit is next judged: once it is deep enough to count, else to count unfit as it is. */
export const judgedAt = (
  followed: FollowedBlocks,
  block: NonNullable<Deposit['block']>,
  confirmations: number,
): bigint => {
  const isDeep = followed.isDeep(block, confirmations)
  return block.number + BigInt(isDeep ? confirmations + graceBlocks : confirmations)
}

/**
 * Has requests of one deposit count on theirs, and judges all others to be paid back, where they are deep enough;
 * those of requests that gather theirs aside.
 */
export function creditDeposits(
  draft: Draft,
  followed: FollowedBlocks,
  confirmations: number,
): void {
  const seen = draft
    .deposits()
    .filter((deposit) => deposit.status === 'seen' && !isGathered(draft, deposit))
    .map((deposit) => ({ ...deposit, fitness: fitness(draft, deposit) }))
  const deep = seen.filter(({ block }) => followed.isDeep(block, confirmations))
  const awaited = new Set(
    seen.filter((each) => each.fitness === 'ordered').map(({ requestId }) => requestId),
  )
  const mayCount = ({ fitness, requestId, block }: Judged) =>
    fitness === 'ordered' ||
    (!awaited.has(requestId) && followed.isDeep(block, confirmations + graceBlocks))
  for (const { fitness: _, ...deposit } of deep.filter(mayCount).sort(byPrecedence))
    credit(draft, deposit)
  for (const { depositId } of deep) refundOther(draft, depositId)
}

const isGathered = (draft: Draft, { requestId }: Deposit): boolean => {
  const request = draft.request(requestId)
  return request !== undefined && isGathering(request)
}

/** As its request ordered it, in the currency at least, or not even that. */
type Fitness = 'ordered' | 'short' | 'other'
type Judged = Deposit & Readonly<{ fitness: Fitness }>

function fitness(draft: Draft, deposit: Deposit): Fitness {
  const input = payableOf(draft, deposit)?.input
  if (input?.depositCurrency !== deposit.currency) return 'other'
  return deposit.amount >= input.leastDeposit ? 'ordered' : 'short'
}

const ranks: Readonly<Record<Fitness, number>> = { ordered: 0, short: 1, other: 2 }

/** Of those as ordered the first, so that no larger one takes the place of the user's; of others the largest. */
function byPrecedence(one: Judged, other: Judged): number {
  const rank = ranks[one.fitness] - ranks[other.fitness]
  if (rank !== 0) return rank
  return one.fitness === 'ordered'
    ? compare(one.block?.number ?? 0n, other.block?.number ?? 0n)
    : compare(other.amount, one.amount)
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)

function credit(draft: Draft, deposit: Deposit): void {
  const payable = payableOf(draft, deposit)
  if (payable === undefined || !isOpen(payable)) return
  draft.putDeposit({ ...deposit, status: 'credited' })
  tell(draft, deposit, 'depositCredited')
}

/** What its request may count on yet stays as it is. */
function refundOther(draft: Draft, depositId: string): void {
  const deposit = draft.deposit(depositId)
  if (deposit?.status !== 'seen') return
  const reason = refundReason(draft, deposit)
  if (reason !== undefined) draft.putDeposit({ ...deposit, status: 'refundable', reason })
}

function refundReason(draft: Draft, deposit: Deposit): FailReason | undefined {
  if (draft.request(deposit.requestId) === undefined) return 'UNKNOWN'
  const payable = payableOf(draft, deposit)
  if (payable === undefined) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (isOpen(payable)) return undefined
  return isOpenInput(payable) ? 'UNKNOWN' : 'DOUBLE_SPEND'
}

/** Whether it waits for the deposit that it counts on. */
const isOpen = (payable: Payable): boolean =>
  isOpenInput(payable) && isAwaiting(payable.request.state.status)
