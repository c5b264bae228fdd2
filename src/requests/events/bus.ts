import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestChange } from '#src/requests/state/requestState.ts'

/** A wake-up message. The database is authoritative: a lost message only adds latency. */
export type Wakeup =
  | Readonly<{ kind: 'change'; change: RequestChange }>
  | Readonly<{ kind: 'hint'; chainId: ChainId }>
  /** Messages may have been lost: check everything. */
  | Readonly<{ kind: 'missed' }>

/** Receives wake-ups of all processes. */
export type WakeupSource = Readonly<{
  /** Returns the function that removes the listener. A listener must not throw or block. */
  listen: (listener: (wakeup: Wakeup) => void) => () => void
}>

export type WakeupSink = Readonly<{
  /** Reaches every listener of every process. The listeners of this process are called synchronously. */
  publish: (wakeups: readonly Wakeup[]) => void
}>

/** Carries wake-ups within this process, and with Redis between processes. */
export type Bus = WakeupSource & WakeupSink & Readonly<{ close: () => Promise<void> }>

/** A bus within one process. */
export function createLocalBus(): Bus {
  const listeners = new Set<(wakeup: Wakeup) => void>()
  return {
    publish: (wakeups) => {
      for (const wakeup of wakeups) for (const listener of listeners) listener(wakeup)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => listeners.clear(),
  }
}
