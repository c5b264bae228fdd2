import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { ownSteps } from '#src/requests/state/ownSteps.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import { showsOther } from '#src/requests/status/shownProgress.ts'
import type { Draft } from './unitOfWork.ts'

/** A request, and the place of the one of its inputs that a deposit is for. */
export type Payable = Readonly<{
  request: Extract<StoredRequest, Readonly<{ execution: 'solver' }>>
  at: number
  input: RequestInput
}>

/**
 * What the deposit is for, as things stand: the input that counts on it, else the one that it fits best. Undefined
 * where there is none: a request is not paid on a chain where it has no input, nor, where it gathers deposits, by a
 * stranger in a currency that nobody was to deposit.
 */
export function payableOf(draft: Draft, deposit: Deposit): Payable | undefined {
  const candidates = candidatesFor(draft, deposit)
  const funded = candidates.find(
    ({ request, at }) => at === inputFundedBy(request, deposit.depositId),
  )
  return funded ?? mostFitting(candidates, deposit)
}

/** Where the deposit is shown until it counts: where no other is, if there is such an input. */
export function shownAt(draft: Draft, deposit: Deposit): Payable | undefined {
  const payable = payableOf(draft, deposit)
  if (payable === undefined || inputFundedBy(payable.request, deposit.depositId) !== undefined)
    return payable
  const transaction = { chainId: deposit.chainId, hash: deposit.txHash }
  const free = candidatesFor(draft, deposit).filter(
    ({ request, at }) => !showsOther(request.state, ownSteps(request, at), transaction),
  )
  return mostFitting(free, deposit) ?? payable
}

/** The inputs of its chain and currency, the depositor's own alone where there are any; else all of the depositor's. */
function candidatesFor(draft: Draft, deposit: Deposit): readonly Payable[] {
  const request = draft.request(deposit.requestId)
  if (request?.execution !== 'solver') return []
  const here = request.inputs
    .map((input, at): Payable => ({ request, at, input }))
    .filter(({ input }) => input.chainId === deposit.chainId)
  if (request.gathering === undefined) return here
  const own = here.filter(({ input }) => input.user === deposit.depositor)
  const isOfCurrency = ({ input }: Payable) => input.depositCurrency === deposit.currency
  const groups = [own.filter(isOfCurrency), here.filter(isOfCurrency), own]
  return groups.find(({ length }) => length > 0) ?? []
}

/**
 * Of the open ones the largest that it reaches, so that what comes later reaches the others; else the smallest,
 * of which it lacks least.
 */
function mostFitting(candidates: readonly Payable[], { amount }: Deposit): Payable | undefined {
  const open = candidates.filter(isOpenInput)
  const among = (open.length > 0 ? open : candidates).toSorted(byLeastDeposit)
  return among.findLast(({ input }) => amount >= input.leastDeposit) ?? among[0]
}

export const isOpenInput = ({ request, at }: Payable): boolean =>
  request.state.fundings[at]?.status === 'open'

const byLeastDeposit = ({ input: one }: Payable, { input: other }: Payable): number =>
  Number(one.leastDeposit > other.leastDeposit) - Number(one.leastDeposit < other.leastDeposit)
