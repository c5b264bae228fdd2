import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestState } from './requestState.ts'

type Shown = QuotedRequest & Readonly<{ state: RequestState }>

/** The steps that lead to one deposit, or to the user's own swap, which is the last of them. */
export type OwnSteps = Readonly<{ first: number; last: number }>

/** Of an input of the request, or, where the user swaps alone, all there are. */
export function ownSteps(request: Shown, input: number): OwnSteps {
  const mains = mainSteps(request)
  const before = mains[input - 1]
  const last = mains[input] ?? request.state.steps.length - 1
  return { first: before === undefined ? 0 : before + 1, last }
}

/** Whether it may have several deposits, which are waited for together. */
export const isGathering = (request: QuotedRequest): boolean =>
  request.execution === 'solver' && request.gathering !== undefined

/** The place of each step that pays. */
export function mainSteps(request: Shown): readonly number[] {
  if (!isGathering(request)) return [request.state.steps.length - 1]
  return request.steps.flatMap(({ id }, at) => (id === 'deposit' ? [at] : []))
}
