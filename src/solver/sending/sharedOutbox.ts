import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OpenableOutbox, Outbox, UnsentTransaction } from './outbox.ts'
import { createSendTurns, type SendTurns } from './sendTurns.ts'

/** An outbox for fills, refunds and settlements that send at the same time. Nonces stay without gaps. */
type SharedOutbox = Outbox &
  Pick<SendTurns<ChainView>, 'isCurrent'> &
  Readonly<{
    openAlone: (
      readView: () => Promise<ChainView>,
    ) => Promise<Awaited<ReturnType<OpenableOutbox['open']>> & Readonly<{ view: ChainView }>>
  }>

/** With `span`, each new transaction becomes a span, with its store and RPC calls as children. */
export function createSharedOutbox({ open, ...outbox }: OpenableOutbox, span?: Span): SharedOutbox {
  const turns = createSendTurns<ChainView>()
  /** Whether nonces are missing or unknown. Background work that started earlier must not send either. */
  let isClosed = true

  return {
    ...outbox,
    openAlone: (readView) =>
      turns.openAlone(
        () => {
          isClosed = true
          return readView()
        },
        async (view) => {
          const gap = await open(view)
          isClosed = gap.missing.length > 0 || gap.unknown > 0
          return { ...gap, view }
        },
      ),
    isCurrent: turns.isCurrent,
    send: (unsent, fees, changes) =>
      inSpan(span, `solver ${unsent.purpose}`, attributesOf(unsent), () =>
        turns.send(async () => (isClosed ? 'conflict' : outbox.send(unsent, fees, changes))),
      ),
    replace: (...args) => turns.change(() => outbox.replace(...args)),
    cancel: (...args) => turns.change(() => outbox.cancel(...args)),
  }
}

const attributesOf = ({ requestId, transactionId }: UnsentTransaction) => ({
  'crossquote.transaction_id': transactionId,
  ...(requestId !== undefined && { 'crossquote.request_id': requestId }),
})
