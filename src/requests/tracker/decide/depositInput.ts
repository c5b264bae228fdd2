import { ownSteps, showsOther } from '#src/requests/progress.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { inputFundedBy, type StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { UnitOfWork } from './unitOfWork.ts'

/** A deposit with the inputs of its request that it may fund. */
export type DepositMatch = Readonly<{
  deposit: Deposit
  /** Places of the inputs, lowest `leastDeposit` first. Empty: the request cannot use the deposit. */
  candidates: readonly number[]
}>

/** One input of a request. */
export type InputRef = Readonly<{ request: SolverRequest; at: number; input: RequestInput }>

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
  Number(one.leastDeposit > other.leastDeposit) - Number(one.leastDeposit < other.leastDeposit)

/**
 * The input that the deposit funds, else the candidate that it fits best in the request's present state.
 * Undefined without candidates.
 */
export function selectInput(
  work: UnitOfWork,
  { deposit, candidates }: DepositMatch,
): InputRef | undefined {
  const request = solverRequest(work, deposit)
  const funded = request && inputFundedBy(request, deposit.depositId)
  return funded === undefined
    ? refTo(request, bestFit(request, candidates, deposit))
    : refTo(request, funded)
}

/** The input that shows the deposit before the deposit funds one. Prefers an input that shows no other deposit yet. */
export function selectShownInput(work: UnitOfWork, match: DepositMatch): InputRef | undefined {
  const { deposit, candidates } = match
  const request = solverRequest(work, deposit)
  if (request === undefined || inputFundedBy(request, deposit.depositId) !== undefined)
    return selectInput(work, match)
  const transaction = { chainId: deposit.chainId, hash: deposit.txHash }
  const free = candidates.filter(
    (at) => !showsOther(request.state, ownSteps(request, at), transaction),
  )
  return refTo(request, bestFit(request, free, deposit)) ?? selectInput(work, match)
}

function solverRequest(work: UnitOfWork, { requestId }: Deposit): SolverRequest | undefined {
  const request = work.request(requestId)
  return request?.execution === 'solver' ? request : undefined
}

function refTo(request: SolverRequest | undefined, at: number | undefined): InputRef | undefined {
  const input = at === undefined ? undefined : request?.inputs[at]
  return request === undefined || at === undefined || input === undefined
    ? undefined
    : { request, at, input }
}

/**
 * The largest of the open candidates that the amount covers, so that smaller inputs stay open for smaller deposits. If
 * it covers none, the smallest. If no candidate is open, all candidates count.
 */
function bestFit(
  request: SolverRequest | undefined,
  candidates: readonly number[],
  { amount }: Deposit,
): number | undefined {
  if (request === undefined) return undefined
  const { inputs, state } = request
  const open = candidates.filter((at) => state.inputStates[at]?.status === 'open')
  const among = open.length > 0 ? open : candidates
  return among.findLast((at) => amount >= (inputs[at]?.leastDeposit ?? amount)) ?? among[0]
}

export const isOpenInput = ({ request, at }: InputRef): boolean =>
  request.state.inputStates[at]?.status === 'open'
