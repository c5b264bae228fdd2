import type { Loaders } from '#src/service/answers.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'

/** The context of one request, for GraphQL resolvers and REST routes. */
export type RequestContext = Readonly<{
  operations: Service
  /** Batches and caches the reads of this request only: data of an older request would be stale. */
  loaders: Loaders
  client: Client
  /** Names of fields that REST leaves out because no node reports them in time. The answer lists them in a header. */
  unavailable: Set<string>
}>

export const createRequestContext = (operations: Service, client: Client): RequestContext => ({
  operations,
  loaders: operations.loaders(),
  client,
  unavailable: new Set(),
})
