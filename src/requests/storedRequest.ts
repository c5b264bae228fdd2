import type { QuotedRequest } from './quotedRequest.ts'
import type { RequestState } from './state/requestState.ts'

/** A quoted request and what became of it. */
export type StoredRequest = QuotedRequest &
  Readonly<{
    state: RequestState
    /** Counts all saves: the store saves none that has moved on. */
    version: number
  }>
