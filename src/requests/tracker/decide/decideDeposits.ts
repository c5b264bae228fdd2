import type { BlockId } from '#src/chains/chainEvent.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import { isMultiInput, ownSteps, showsOther } from '#src/requests/progress.ts'
import type { FundingTerms, RequestInput } from '#src/requests/quotedRequest.ts'
import {
  byPlace,
  type Deposit,
  depositEvent,
  depositTransaction,
} from '#src/requests/state/deposit.ts'
import {
  type FailReason,
  inputFundedBy,
  isAwaiting,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import {
  lastDepositTime,
  minFunding,
  type SolverRequest,
} from '#src/requests/state/solverRequest.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ChainRules, ChainState, UnitOfWork } from './unitOfWork.ts'

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
 * Resolves the candidate inputs of each deposit once. Then credits the deposits or makes them refundable, earliest
 * first.
 */
export function decideDeposits(
  work: UnitOfWork,
  { followed, processedUntil }: ChainState,
  { id: chainId, depositConfirmations: confirmations }: ChainRules,
): void {
  // No record of the depository proves a plain transfer. After a reorg, other deposits could pay for it.
  const isFinal = (block: BlockId<BlockHash> | undefined) =>
    block !== undefined && block.number <= followed.final().number
  const matches = work
    .deposits()
    .filter(
      ({ status, record, block }) => status === 'seen' && (record !== undefined || isFinal(block)),
    )
    .toSorted(byPlace)
    .map((deposit) => matchDeposit(work, deposit))
  const { multi = [], single = [] } = Object.groupBy(matches, ({ deposit: { requestId } }) => {
    const request = work.request(requestId)
    return request !== undefined && isMultiInput(request) ? 'multi' : 'single'
  })
  creditDeposits(work, single, { followed, confirmations })
  fundInputs(work, multi, { chainId, followed, confirmations, processedUntil })
}

/**
 * Decides the confirmed deposits of single-input requests and of unknown orders, given in chain order. One deposit
 * funds the request: the first complete one, or after the grace blocks the largest one that can still pay the minimum.
 * All others become refundable. A deposit in time that is too small or in another currency is refunded alone, and the
 * request waits on: else anybody could end it ahead of the user's own deposit.
 */
function creditDeposits(
  work: UnitOfWork,
  matches: readonly DepositMatch[],
  { followed, confirmations }: Readonly<{ followed: FollowedBlocks; confirmations: number }>,
): void {
  const rated = matches.map((match) => rate(work, match))
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
  for (const match of confirmed) refundUncredited(work, match)
}

/**
 * Comparison of a deposit with the order. `unfit`: it never funds the request. `short`: less than ordered, and enough
 * for the minimum. Too late to be filled, `short` has any amount, and `wrongCurrency` is possible too: such a deposit
 * ends the request with a refund.
 */
type Rating = 'complete' | 'short' | 'wrongCurrency' | 'unfit'
type RatedMatch = DepositMatch & Readonly<{ rating: Rating; fault: FailReason | undefined }>

function rate(work: UnitOfWork, match: DepositMatch): RatedMatch {
  const target = selectInput(work, match)
  const fault = target && faultOf(target, match.deposit)
  return { ...match, fault, rating: ratingOf(target, match.deposit, fault) }
}

function ratingOf(
  target: InputRef | undefined,
  deposit: Deposit,
  fault: FailReason | undefined,
): Rating {
  const fits = target !== undefined && isInCurrency(target, deposit)
  if (fits && deposit.amount >= target.input.leastDeposit) return 'complete'
  if (fault !== undefined) return 'unfit'
  return fits ? 'short' : 'wrongCurrency'
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

function credit(work: UnitOfWork, match: DepositMatch): void {
  const target = selectInput(work, match)
  if (target !== undefined && awaitsDeposit(target)) creditInput(work, match.deposit, target)
}

/** The deposit funds the input. */
function creditInput(work: UnitOfWork, deposit: Deposit, target: InputRef): void {
  work.putDeposit({ ...deposit, status: 'credited' })
  const isComplete = isInCurrency(target, deposit) && deposit.amount >= target.input.leastDeposit
  work.advance(target.request.requestId, {
    ...depositEvent('depositCredited', deposit, target.at),
    ...(!isComplete && { isIncomplete: true }),
  })
}

/** A deposit that may still fund its request stays `seen`. */
function refundUncredited(work: UnitOfWork, match: RatedMatch): void {
  const deposit = work.deposit(match.deposit.depositId)
  if (deposit?.status !== 'seen') return
  const target = selectInput(work, match)
  const reason = uncreditedReason(work, match, target)
  if (reason === undefined) return
  work.putDeposit({ ...deposit, status: 'refundable', reason })
  if (target !== undefined && awaitsDeposit(target))
    work.advance(target.request.requestId, {
      type: 'depositRefused',
      reason,
      transaction: depositTransaction(deposit),
    })
}

function uncreditedReason(
  work: UnitOfWork,
  { deposit, fault }: RatedMatch,
  target: InputRef | undefined,
): FailReason | undefined {
  const request = work.request(deposit.requestId)
  if (request === undefined) return 'UNKNOWN'
  // The chain's solver quotes this payment.
  if (paysOpenAddress(request, deposit)) return undefined
  if (target === undefined) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (awaitsDeposit(target)) return fault
  return isOpenInput(target) ? 'UNKNOWN' : 'DOUBLE_SPEND'
}

/** Whether a deposit pays an open address on the chain of its order. */
const paysOpenAddress = (request: StoredRequest, { chainId }: Deposit): boolean =>
  request.execution === 'solver' && request.open !== undefined && request.originChainId === chainId

const awaitsDeposit = (target: InputRef): boolean =>
  isOpenInput(target) && isAwaiting(target.request.state.status)

type MultiInputRequest = SolverRequest & Readonly<{ funding: FundingTerms }>

type Chain = Readonly<{
  chainId: ChainId
  followed: FollowedBlocks
  confirmations: number
  /** Timestamp of the newest fully processed block, in seconds. No earlier deposit can still appear. */
  processedUntil: number | undefined
}>

/**
 * Funds the inputs of multi-input requests on this chain. Each input takes a confirmed deposit that is complete and
 * in time. After the deadline it takes the largest incomplete one, or is missed. All other deposits become refundable.
 * The trackers of other chains decide about their own inputs; the row version of the request serializes them.
 */
function fundInputs(
  work: UnitOfWork,
  matches: readonly DepositMatch[],
  { chainId, followed, confirmations, processedUntil }: Chain,
): void {
  const confirmed = matches.filter(({ deposit: { block } }) =>
    followed.isConfirmed(block, confirmations),
  )
  for (const { requestId } of work.requests()) {
    const request = multiInputRequest(work, requestId)
    if (request === undefined) continue
    const own = confirmed.filter(({ deposit }) => deposit.requestId === requestId)
    const timely = own.filter(({ deposit }) => isTimely(request, deposit))
    for (const match of timely) fundOpenInput(work, match, ({ leastDeposit }) => leastDeposit)
    const { depositDeadline } = request.funding
    const isPastDeadline = processedUntil !== undefined && processedUntil > depositDeadline
    if (isPastDeadline) closeInputs(work, request, timely, chainId)
    fundMissedRequest(work, requestId, own)
    for (const match of own) refundUnused(work, match)
  }
}

function multiInputRequest(
  work: UnitOfWork,
  requestId: Deposit['requestId'],
): MultiInputRequest | undefined {
  const request = work.request(requestId)
  if (request?.execution !== 'solver' || request.funding === undefined) return undefined
  return { ...request, funding: request.funding }
}

const byAmount = ({ deposit: one }: DepositMatch, { deposit: other }: DepositMatch): number =>
  compare(other.amount, one.amount)

const isTimely = ({ funding }: MultiInputRequest, { timestamp }: Deposit): boolean =>
  timestamp <= funding.depositDeadline

const isSeen = (work: UnitOfWork, { deposit: { depositId } }: DepositMatch): boolean =>
  work.deposit(depositId)?.status === 'seen'

/**
 * Funds the deposit's input if it is open, has the deposit's currency, and the amount is at least `minimumOf` the
 * input.
 */
function fundOpenInput(
  work: UnitOfWork,
  match: DepositMatch,
  minimumOf: (input: RequestInput) => bigint,
): void {
  const { deposit } = match
  const target = selectInput(work, match)
  if (target === undefined || !isAwaiting(target.request.state.status)) return
  if (!isOpenInput(target) || !isInCurrency(target, deposit)) return
  if (deposit.amount >= minimumOf(target.input)) creditInput(work, deposit, target)
}

/** After the deadline, the largest incomplete deposits fund the open inputs. The other open inputs are missed. */
function closeInputs(
  work: UnitOfWork,
  { requestId, inputs }: MultiInputRequest,
  timely: readonly DepositMatch[],
  chainId: ChainId,
): void {
  const incomplete = timely.filter((match) => isSeen(work, match)).toSorted(byAmount)
  for (const match of incomplete) fundOpenInput(work, match, () => 0n)
  for (const [input, { chainId: inputChainId }] of inputs.entries())
    if (inputChainId === chainId) work.advance(requestId, { type: 'inputMissed', input })
}

/** If every input was missed, a late or wrong deposit funds the request, so that it ends with a refund. */
function fundMissedRequest(
  work: UnitOfWork,
  requestId: MultiInputRequest['requestId'],
  own: readonly DepositMatch[],
): void {
  const { status, inputStates } = work.request(requestId)?.state ?? { status: 'failure' }
  const areAllMissed = inputStates?.every((each) => each.status === 'missed')
  if (!isAwaiting(status) || areAllMissed !== true) return
  const [best] = own
    .flatMap((match) => {
      const target = isSeen(work, match) ? selectInput(work, match) : undefined
      if (target === undefined) return []
      return [{ match, target, inCurrency: isInCurrency(target, match.deposit) }]
    })
    .toSorted(
      (one, other) =>
        Number(other.inCurrency) - Number(one.inCurrency) || byAmount(one.match, other.match),
    )
  if (best !== undefined) creditInput(work, best.match.deposit, best.target)
}

/** A deposit that may still fund an input stays `seen`. */
function refundUnused(work: UnitOfWork, match: DepositMatch): void {
  const { deposit } = match
  const request = multiInputRequest(work, deposit.requestId)
  if (request === undefined || !isSeen(work, match)) return
  const reason = refundReason(request, selectInput(work, match), deposit)
  if (reason !== undefined) work.putDeposit({ ...deposit, status: 'refundable', reason })
}

function refundReason(
  request: MultiInputRequest,
  target: InputRef | undefined,
  deposit: Deposit,
): FailReason | undefined {
  const { status, inputStates } = request.state
  if (target === undefined) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (isAwaiting(status) && inputStates.every((each) => each.status !== 'funded')) return undefined
  if (!isInCurrency(target, deposit)) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (!isTimely(request, deposit)) return 'ORDER_EXPIRED'
  switch (inputStates[target.at]?.status) {
    case 'funded':
      return 'DOUBLE_SPEND'
    case 'missed':
      return 'ORDER_EXPIRED'
    default:
      return isAwaiting(status) ? undefined : 'UNKNOWN'
  }
}

/** A deposit with the inputs of its request that it may fund. */
export type DepositMatch = Readonly<{
  deposit: Deposit
  /** Places of the inputs, lowest `leastDeposit` first. Empty: the request cannot use the deposit. */
  candidates: readonly number[]
}>

/** One input of a request, and whether the deposit that it was selected for funds it. */
export type InputRef = Readonly<{
  request: SolverRequest
  at: number
  input: RequestInput
  isFunded: boolean
}>

export const matchDeposit = (work: UnitOfWork, deposit: Deposit): DepositMatch => ({
  deposit,
  candidates: candidateInputs(work.request(deposit.requestId), deposit),
})

/**
 * The inputs on the deposit's chain. In a multi-input request, the first of these groups that is not empty: the
 * depositor's own inputs in the deposit's currency, all inputs in that currency, the depositor's own inputs.
 */
function candidateInputs(request: StoredRequest | undefined, deposit: Deposit): readonly number[] {
  // Each payment to an open address gets a request of its own.
  if (request?.execution !== 'solver' || request.open !== undefined) return []
  const here = request.inputs
    .map((input, at) => ({ ...input, at }))
    .filter(({ chainId }) => chainId === deposit.chainId)
    .toSorted(byLeastDeposit)
  if (request.funding === undefined) return here.map(({ at }) => at)
  const own = here.filter(({ user }) => user === deposit.depositor)
  const isInCurrency = ({ depositCurrency }: RequestInput) => depositCurrency === deposit.currency
  const groups = [own.filter(isInCurrency), here.filter(isInCurrency), own]
  return groups.find(({ length }) => length > 0)?.map(({ at }) => at) ?? []
}

const byLeastDeposit = (one: RequestInput, other: RequestInput): number =>
  compare(one.leastDeposit, other.leastDeposit)

/**
 * The input that the deposit funds, else the candidate that it fits best in the request's present state.
 * Undefined without candidates.
 */
export function selectInput(work: UnitOfWork, match: DepositMatch): InputRef | undefined {
  return bestInput(work, match, ({ candidates }) => candidates)
}

/** The input that shows the deposit before the deposit funds one. Prefers an input that shows no other deposit yet. */
export function selectShownInput(work: UnitOfWork, match: DepositMatch): InputRef | undefined {
  const transaction = depositTransaction(match.deposit)
  return bestInput(work, match, ({ candidates }, request) =>
    candidates.filter((at) => !showsOther(request.state, ownSteps(request, at), transaction)),
  )
}

function bestInput(
  work: UnitOfWork,
  match: DepositMatch,
  preferredOf: (match: DepositMatch, request: SolverRequest) => readonly number[],
): InputRef | undefined {
  const { deposit, candidates } = match
  const request = work.request(deposit.requestId)
  if (request?.execution !== 'solver') return undefined
  const funded = inputFundedBy(request, deposit.depositId)
  const at =
    funded ??
    bestFit(request, preferredOf(match, request), deposit) ??
    bestFit(request, candidates, deposit)
  const input = at === undefined ? undefined : request.inputs[at]
  if (at === undefined || input === undefined) return undefined
  return { request, at, input, isFunded: at === funded }
}

/**
 * The largest of the open candidates that the amount covers, so that smaller inputs stay open for smaller deposits. If
 * it covers none, the smallest. If no candidate is open, all candidates count.
 */
function bestFit(
  { inputs, state }: SolverRequest,
  candidates: readonly number[],
  { amount }: Deposit,
): number | undefined {
  const open = candidates.filter((at) => state.inputStates[at]?.status === 'open')
  const among = open.length > 0 ? open : candidates
  return among.findLast((at) => amount >= (inputs[at]?.leastDeposit ?? amount)) ?? among[0]
}

const isOpenInput = ({ request, at }: InputRef): boolean =>
  request.state.inputStates[at]?.status === 'open'

const isInCurrency = ({ input }: InputRef, { currency }: Deposit): boolean =>
  input.depositCurrency === currency

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)
