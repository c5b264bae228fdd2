import type { Loaders, Operations } from '#src/operations/operations.ts'

/** What resolvers and REST routes work with: made anew for each request, so that its parts share look-ups. */
export type Context = Readonly<{
  operations: Operations
  loaders: Loaders
  /** What the client sent as `x-api-key`. */
  apiKey: string | undefined
}>
