import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestState } from './requestState.ts'

type Shown = QuotedRequest & Readonly<{ state: RequestState }>

/** The range of steps that ends with one deposit or with the user's own swap. */
export type OwnSteps = Readonly<{ first: number; last: number }>

/** The steps of an input, or all steps if the user swaps without the solver. */
export function ownSteps(request: Shown, input: number): OwnSteps {
  const mains = mainSteps(request)
  const before = mains[input - 1]
  const last = mains[input] ?? request.state.steps.length - 1
  return { first: before === undefined ? 0 : before + 1, last }
}

/** Whether several deposits may fund the request. */
export const isMultiInput = (request: QuotedRequest): boolean =>
  request.execution === 'solver' && request.funding !== undefined

/** Places of the steps that pay: the deposits, or the swap. */
export function mainSteps(request: Shown): readonly number[] {
  if (!isMultiInput(request)) return [request.state.steps.length - 1]
  return request.steps.flatMap(({ id }, at) => (id === 'deposit' ? [at] : []))
}
