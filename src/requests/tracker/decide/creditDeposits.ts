import type { Deposit } from '#src/requests/state/deposit.ts'
import {
  type FailReason,
  isAwaiting,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import { lastDepositTime, minFunding } from '#src/requests/state/solverRequest.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { type DepositMatch, type InputRef, isOpenInput, selectInput } from './depositInput.ts'
import { depositEvent, transactionOf } from './observeDeposits.ts'
import type { UnitOfWork } from './unitOfWork.ts'

/**
 * Extra confirmations that an incomplete deposit waits for. An attacker who copies an order id from the mempool can
 * deposit a tiny amount one block before the user. The wait lets the user's own deposit arrive and take precedence.
 */
const graceBlocks = 10

/** The height at which a seen deposit is decided next: first with enough confirmations, then after the grace blocks. */
export const nextDecisionHeight = (
  followed: FollowedBlocks,
  block: NonNullable<Deposit['block']>,
  confirmations: number,
): bigint => {
  const isConfirmed = followed.isConfirmed(block, confirmations)
  return block.number + BigInt(isConfirmed ? confirmations + graceBlocks : confirmations)
}

/**
 * Decides the confirmed deposits of single-input requests and of unknown orders, given in chain order. One deposit
 * funds the request: the first complete one, or after the grace blocks the largest one that can still pay the minimum.
 * All others become refundable. A deposit in time that is too small or in another currency is refunded alone, and the
 * request waits on: else anybody could end it ahead of the user's own deposit.
 */
export function creditDeposits(
  work: UnitOfWork,
  matches: readonly DepositMatch[],
  { followed, confirmations }: Readonly<{ followed: FollowedBlocks; confirmations: number }>,
): void {
  const rated = matches.map((match) => ({ ...match, rating: rate(work, match) }))
  const confirmed = rated.filter(({ deposit }) =>
    followed.isConfirmed(deposit.block, confirmations),
  )
  const withComplete = new Set(
    rated.filter(({ rating }) => rating === 'complete').map(({ deposit }) => deposit.requestId),
  )
  const mayFund = ({ rating, deposit: { requestId, block } }: RatedMatch) =>
    rating === 'complete' ||
    (rating !== 'unfit' &&
      !withComplete.has(requestId) &&
      followed.isConfirmed(block, confirmations + graceBlocks))
  for (const match of confirmed.filter(mayFund).toSorted(byPrecedence)) credit(work, match)
  for (const match of confirmed) refundUnused(work, match)
}

/**
 * Comparison of a deposit with the order. `unfit`: it never funds the request. `short`: less than ordered, and enough
 * for the minimum. Too late to be filled, `short` has any amount, and `wrongCurrency` is possible too: such a deposit
 * ends the request with a refund.
 */
type Rating = 'complete' | 'short' | 'wrongCurrency' | 'unfit'
type RatedMatch = DepositMatch & Readonly<{ rating: Rating }>

function rate(work: UnitOfWork, match: DepositMatch): Rating {
  const { currency, amount } = match.deposit
  const target = selectInput(work, match)
  const isInCurrency = target?.input.depositCurrency === currency
  if (isInCurrency && amount >= target.input.leastDeposit) return 'complete'
  if (target !== undefined && faultOf(target, match.deposit) !== undefined) return 'unfit'
  return isInCurrency ? 'short' : 'wrongCurrency'
}

/** The reason why a deposit in time never funds the input of a single-input request; undefined if it may. */
function faultOf(
  { request, input }: InputRef,
  { currency, amount, timestamp }: Deposit,
): FailReason | undefined {
  if (timestamp > lastDepositTime(request)) return undefined
  if (currency !== input.depositCurrency) return 'INCORRECT_DEPOSIT_CURRENCY'
  return amount < minFunding(request, input) ? 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' : undefined
}

const ranks: Readonly<Record<Rating, number>> = {
  complete: 0,
  short: 1,
  wrongCurrency: 2,
  unfit: 3,
}

/**
 * The first complete deposit wins, so that a larger one cannot displace the user's. Incomplete deposits compare by
 * amount, and equal ones stay in chain order.
 */
function byPrecedence(one: RatedMatch, other: RatedMatch): number {
  const rank = ranks[one.rating] - ranks[other.rating]
  if (rank !== 0 || one.rating === 'complete') return rank
  return compare(other.deposit.amount, one.deposit.amount)
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)

function credit(work: UnitOfWork, match: DepositMatch): void {
  const target = selectInput(work, match)
  if (target !== undefined && awaitsDeposit(target)) creditInput(work, match.deposit, target)
}

/** The deposit funds the input. */
export function creditInput(
  work: UnitOfWork,
  deposit: Deposit,
  { request, at, input }: InputRef,
): void {
  work.putDeposit({ ...deposit, status: 'credited' })
  const isComplete =
    deposit.currency === input.depositCurrency && deposit.amount >= input.leastDeposit
  work.advance(request.requestId, {
    ...depositEvent('depositCredited', deposit, at),
    ...(!isComplete && { isIncomplete: true }),
  })
}

/** A deposit that may still fund its request stays `seen`. */
function refundUnused(work: UnitOfWork, match: DepositMatch): void {
  const deposit = work.deposit(match.deposit.depositId)
  if (deposit?.status !== 'seen') return
  const reason = refundReason(work, match)
  if (reason === undefined) return
  work.putDeposit({ ...deposit, status: 'refundable', reason })
  const target = selectInput(work, match)
  if (target !== undefined && awaitsDeposit(target))
    work.advance(target.request.requestId, {
      type: 'depositRefused',
      reason,
      transaction: transactionOf(deposit),
    })
}

function refundReason(work: UnitOfWork, match: DepositMatch): FailReason | undefined {
  const request = work.request(match.deposit.requestId)
  if (request === undefined) return 'UNKNOWN'
  // The chain's solver quotes this payment.
  if (paysOpenAddress(request, match.deposit)) return undefined
  const target = selectInput(work, match)
  if (target === undefined) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (awaitsDeposit(target)) return faultOf(target, match.deposit)
  return isOpenInput(target) ? 'UNKNOWN' : 'DOUBLE_SPEND'
}

/** Whether a deposit pays an open address on the chain of its order. */
const paysOpenAddress = (request: StoredRequest, { chainId }: Deposit): boolean =>
  request.execution === 'solver' && request.open !== undefined && request.originChainId === chainId

const awaitsDeposit = (target: InputRef): boolean =>
  isOpenInput(target) && isAwaiting(target.request.state.status)
