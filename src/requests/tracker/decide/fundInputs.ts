import type { Gathering, RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { type FailReason, isAwaiting } from '#src/requests/state/requestState.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { isOpenInput, type Payable, payableOf } from './depositInput.ts'
import { tell } from './observeDeposits.ts'
import type { Draft } from './unitOfWork.ts'

type Request = Payable['request'] & Readonly<{ gathering: Gathering }>

type Chain = Readonly<{
  chainId: ChainId
  confirmations: number
  /** Seconds since 1970 before which nothing more comes to be known of the chain. */
  closedAt: number | undefined
}>

/**
 * Has requests that gather several deposits count on those of this chain that are deep enough: as they come on what
 * is as ordered and in time; once its time is up on what is short, or on nothing. All other deposits are judged to
 * be paid back. Other chains decide about their own: the request's row keeps them apart.
 */
export function gatherDeposits(
  draft: Draft,
  followed: FollowedBlocks,
  { chainId, confirmations, closedAt }: Chain,
): void {
  const deep = draft
    .deposits()
    .filter(({ status, block }) => status === 'seen' && followed.isDeep(block, confirmations))
    .toSorted(byPlace)
  for (const { requestId } of draft.requests()) {
    const request = gatheringOf(draft, requestId)
    if (request === undefined) continue
    const own = deep.filter((deposit) => deposit.requestId === requestId)
    const timely = own.filter((deposit) => isTimely(request, deposit))
    for (const deposit of timely) fundOpen(draft, deposit, ({ leastDeposit }) => leastDeposit)
    const isClosed = closedAt !== undefined && closedAt > request.gathering.until
    if (isClosed) closeInputs(draft, request, timely, chainId)
    fundLost(draft, requestId, own)
    for (const deposit of own) refundOther(draft, deposit)
  }
}

function gatheringOf(draft: Draft, requestId: Deposit['requestId']): Request | undefined {
  const request = draft.request(requestId)
  if (request?.execution !== 'solver' || request.gathering === undefined) return undefined
  return { ...request, gathering: request.gathering }
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)

const byAmount = (one: Deposit, other: Deposit): number => compare(other.amount, one.amount)

const byPlace = (one: Deposit, other: Deposit): number =>
  compare(one.block?.number ?? 0n, other.block?.number ?? 0n)

const isTimely = ({ gathering }: Request, { timestamp }: Deposit): boolean =>
  timestamp <= gathering.until

const isOfCurrency = ({ input }: Payable, { currency }: Deposit): boolean =>
  input.depositCurrency === currency

const isSeen = (draft: Draft, { depositId }: Deposit): boolean =>
  draft.deposit(depositId)?.status === 'seen'

function fund(draft: Draft, deposit: Deposit): void {
  draft.putDeposit({ ...deposit, status: 'credited' })
  tell(draft, deposit, 'depositCredited')
}

/** Has the input that the deposit is for count on it, if that waits for one in its currency, of so much at the least. */
function fundOpen(draft: Draft, deposit: Deposit, leastOf: (input: RequestInput) => bigint): void {
  const payable = payableOf(draft, deposit)
  if (payable === undefined || !isAwaiting(payable.request.state.status)) return
  if (!isOpenInput(payable) || !isOfCurrency(payable, deposit)) return
  if (deposit.amount >= leastOf(payable.input)) fund(draft, deposit)
}

/** Nothing more comes in time: what is short has to do, the largest of it, and what has nothing has missed it. */
function closeInputs(
  draft: Draft,
  { requestId, inputs }: Request,
  timely: readonly Deposit[],
  chainId: ChainId,
): void {
  const short = timely.filter((each) => isSeen(draft, each)).toSorted(byAmount)
  for (const deposit of short) fundOpen(draft, deposit, () => 0n)
  for (const [input, { chainId: of }] of inputs.entries())
    if (of === chainId) draft.advance(requestId, { type: 'inputMissed', input })
}

/** What fits nothing, or comes too late for it, is counted on once nothing else is: the request pays it back. */
function fundLost(draft: Draft, requestId: Request['requestId'], own: readonly Deposit[]): void {
  const { status, fundings } = draft.request(requestId)?.state ?? { status: 'failure' }
  const isLost = fundings?.every((each) => each.status === 'missed')
  if (!isAwaiting(status) || isLost !== true) return
  const [first] = own
    .flatMap((deposit) => {
      const payable = isSeen(draft, deposit) ? payableOf(draft, deposit) : undefined
      return payable === undefined ? [] : [{ deposit, isFit: isOfCurrency(payable, deposit) }]
    })
    .toSorted(
      (one, other) =>
        Number(other.isFit) - Number(one.isFit) || byAmount(one.deposit, other.deposit),
    )
  if (first !== undefined) fund(draft, first.deposit)
}

/** What its request may count on yet stays as it is. */
function refundOther(draft: Draft, deposit: Deposit): void {
  const request = gatheringOf(draft, deposit.requestId)
  if (request === undefined || !isSeen(draft, deposit)) return
  const reason = refundReason(request, payableOf(draft, deposit), deposit)
  if (reason !== undefined) draft.putDeposit({ ...deposit, status: 'refundable', reason })
}

function refundReason(
  request: Request,
  payable: Payable | undefined,
  deposit: Deposit,
): FailReason | undefined {
  const { status, fundings } = request.state
  if (payable === undefined) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (isAwaiting(status) && fundings.every((each) => each.status !== 'funded')) return undefined
  if (!isOfCurrency(payable, deposit)) return 'INCORRECT_DEPOSIT_CURRENCY'
  if (!isTimely(request, deposit)) return 'ORDER_EXPIRED'
  switch (fundings[payable.at]?.status) {
    case 'funded':
      return 'DOUBLE_SPEND'
    case 'missed':
      return 'ORDER_EXPIRED'
    default:
      return isAwaiting(status) ? undefined : 'UNKNOWN'
  }
}
