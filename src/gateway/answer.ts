import type { ErrorCode } from '#src/errors.ts'

/** What goes back for one GraphQL request, and what metrics remember of it. */
export type Answer = Readonly<{
  status: number
  contentType: string
  body: string
  lane: 'compiled' | 'yoga'
  /** The root field that was asked for: see `operationLabel`. */
  operation: string
  /** Of the first error. */
  code: ErrorCode | 'OK'
}>
