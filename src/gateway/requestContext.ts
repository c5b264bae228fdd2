import type { Client } from '#src/operations/callers.ts'
import type { Loaders, Operations } from '#src/operations/operations.ts'

/** What GraphQL resolvers and REST routes receive for one request. */
export type RequestContext = Readonly<{
  operations: Operations
  /** Batches and caches the look-ups of this request only: data of an older request would be stale. */
  loaders: Loaders
  client: Client
  /** Names of fields that REST leaves out because no node reports them in time, for the header of the answer. */
  unavailable: Set<string>
}>

export const createRequestContext = (operations: Operations, client: Client): RequestContext => ({
  operations,
  loaders: operations.loaders(),
  client,
  unavailable: new Set(),
})
