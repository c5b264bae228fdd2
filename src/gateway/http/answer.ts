import type { ErrorCode } from '#src/errors.ts'
import type { LiveEvents } from '#src/gateway/graphql/execution/liveEvents.ts'
import type { Reply } from './reply.ts'

/** What goes back for one request, and what metrics remember of it. */
export type Answer = Reply &
  Readonly<{
    /** Who answered; `none` where nobody was asked. */
    lane: 'compiled' | 'yoga' | 'socket' | 'rest' | 'none'
    /** The root field that was asked for (see `operationLabel`), or by REST the route's operation. */
    operation: string
    /** Of the first error. */
    code: ErrorCode | 'OK'
    /** Of a subscription: what is sent as it comes, in place of the body. */
    events?: LiveEvents
  }>
