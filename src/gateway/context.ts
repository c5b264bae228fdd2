import type { Loaders, Operations } from '#src/operations/operations.ts'

/** What resolvers work with: made anew for each GraphQL operation, so that its fields share look-ups. */
export type Context = Readonly<{
  operations: Operations
  loaders: Loaders
  /** What the client sent as `x-api-key`. */
  apiKey: string | undefined
}>
