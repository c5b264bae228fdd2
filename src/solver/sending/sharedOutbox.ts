import { inSpan, type Span } from '#src/config/tracing/tracer.ts'
import { createMutex } from '#src/requests/tracker/mutex.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OpenableOutbox, Outbox, UnsentTransaction } from './outbox.ts'

/** An outbox for fills, refunds and settlements that send at the same time. Nonces stay without gaps. */
type SharedOutbox = Outbox &
  Readonly<{
    /** Reads the view and opens the outbox while nothing else is sent: each nonce is then in both or in neither. */
    openAlone: (
      readView: () => Promise<ChainView>,
    ) => Promise<Awaited<ReturnType<OpenableOutbox['open']>> & Readonly<{ view: ChainView }>>
    /** Whether the view is the last one that was read, and nothing has been sent since. */
    isCurrent: (view: ChainView) => boolean
  }>

/** With `span`, each new transaction becomes a span, with its store and RPC calls as children. */
export function createSharedOutbox({ open, ...outbox }: OpenableOutbox, span?: Span): SharedOutbox {
  const mutex = createMutex()
  /** Whether nonces are missing or unknown. Background work that started earlier must not send either. */
  let isClosed = true
  let current: ChainView | undefined

  async function sending<Outcome>(send: () => Promise<Outcome>): Promise<Outcome> {
    current = undefined
    try {
      return await send()
    } finally {
      current = undefined
    }
  }

  return {
    ...outbox,
    openAlone: (readView) =>
      mutex(async () => {
        isClosed = true
        const view = await readView()
        current = view
        const gap = await open(view)
        isClosed = gap.missing.length > 0 || gap.unknown > 0
        return { ...gap, view }
      }),
    isCurrent: (view) => view === current,
    send: (unsent, fees, changes) =>
      inSpan(span, `solver ${unsent.purpose}`, attributesOf(unsent), () =>
        mutex(async () =>
          isClosed ? 'conflict' : sending(() => outbox.send(unsent, fees, changes)),
        ),
      ),
    replace: (...args) => sending(() => outbox.replace(...args)),
    cancel: (...args) => sending(() => outbox.cancel(...args)),
  }
}

const attributesOf = ({ requestId, transactionId }: UnsentTransaction) => ({
  'crossquote.transaction_id': transactionId,
  ...(requestId !== undefined && { 'crossquote.request_id': requestId }),
})
