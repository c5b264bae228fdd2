import type { RequestChange } from '#src/requests/state/requestState.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** Something to look at. What is stored is the truth: one that is lost only delays. */
export type Wakeup =
  | Readonly<{ kind: 'change'; change: RequestChange }>
  | Readonly<{ kind: 'hint'; chainId: ChainId }>
  /** Others may have come and gone unheard: look at everything. */
  | Readonly<{ kind: 'missed' }>

/** Carries wake-ups between the parts of this process, and where it is made so between processes. */
export type Bus = Readonly<{
  /** Heard by every listener of every process, this one included; at once by those of this one. */
  publish: (wakeups: readonly Wakeup[]) => void
  /** Returns its end. A listener does not throw, and does not take long. */
  listen: (listener: (wakeup: Wakeup) => void) => () => void
  close: () => Promise<void>
}>

/** Of one process. */
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
