import type { ChainId } from '#src/core/units/chainId.ts'
import type { FundingTerms, RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { type FailReason, isAwaiting } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { creditInput } from './creditDeposits.ts'
import { type DepositMatch, type InputRef, isOpenInput, selectInput } from './depositInput.ts'
import type { UnitOfWork } from './unitOfWork.ts'

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
export function fundInputs(
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

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)

const byAmount = ({ deposit: one }: DepositMatch, { deposit: other }: DepositMatch): number =>
  compare(other.amount, one.amount)

const isTimely = ({ funding }: MultiInputRequest, { timestamp }: Deposit): boolean =>
  timestamp <= funding.depositDeadline

const isInCurrency = ({ input }: InputRef, { currency }: Deposit): boolean =>
  input.depositCurrency === currency

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
