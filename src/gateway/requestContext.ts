import type { Loaders, Operations } from '#src/operations/operations.ts'

/** What GraphQL resolvers and REST routes receive for one request. */
export type RequestContext = Readonly<{
  operations: Operations
  /** Batches and caches the look-ups of this request only: data of an older request would be stale. */
  loaders: Loaders
  /** The `x-api-key` header of the client. */
  apiKey: string | undefined
}>

export const createRequestContext = (
  operations: Operations,
  apiKey: string | undefined,
): RequestContext => ({ operations, loaders: operations.loaders(), apiKey })
