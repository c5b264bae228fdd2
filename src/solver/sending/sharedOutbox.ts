import { createMutex } from '#src/requests/tracker/mutex.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OpenableOutbox, Outbox } from './outbox.ts'

/** An outbox for fills, refunds and settlements that send at the same time. Nonces stay without gaps. */
export type SharedOutbox = Outbox &
  Readonly<{
    /** Reads the view and opens the outbox while nothing else is sent: each nonce is then in both or in neither. */
    openAlone: (
      readView: () => Promise<ChainView>,
    ) => Promise<Awaited<ReturnType<OpenableOutbox['open']>> & Readonly<{ view: ChainView }>>
  }>

export function createSharedOutbox({ open, ...outbox }: OpenableOutbox): SharedOutbox {
  const mutex = createMutex()
  /** Whether nonces are missing or unknown. Work that started before must not send either. */
  let isClosed = true

  return {
    ...outbox,
    openAlone: (readView) =>
      mutex(async () => {
        isClosed = true
        const view = await readView()
        const gap = await open(view)
        isClosed = gap.missing.length > 0 || gap.unknown > 0
        return { ...gap, view }
      }),
    send: (...args) => mutex(async () => (isClosed ? 'conflict' : outbox.send(...args))),
  }
}
