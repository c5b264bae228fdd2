import type { StoredRequest } from './requestState.ts'

/** A request that the solver fills. */
export type SolverRequest = Extract<StoredRequest, Readonly<{ execution: 'solver' }>>

export const isSolverRequest = (request: StoredRequest): request is SolverRequest =>
  request.execution === 'solver'
