import type { SolverDeps } from '#src/solver/solverDeps.ts'
import type { SharedOutbox } from './sharedOutbox.ts'

/** Wraps the outbox: each new transaction becomes a span, with its store and RPC calls as children. */
export function traceOutbox(
  { span }: Pick<SolverDeps, 'span'>,
  outbox: SharedOutbox,
): SharedOutbox {
  if (span === undefined) return outbox
  return {
    ...outbox,
    send: (unsent, fees, changes) => {
      const { purpose, requestId, transactionId } = unsent
      const attributes = {
        'crossquote.transaction_id': transactionId,
        ...(requestId !== undefined && { 'crossquote.request_id': requestId }),
      }
      return span(`solver ${purpose}`, attributes, () => outbox.send(unsent, fees, changes))
    },
  }
}
