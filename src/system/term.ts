import { type Fence, type Lease, LeaseLostError } from '#src/requests/lease.ts'
import type { Leases } from '#src/requests/store/queries/leases.ts'

/** A term of this process as the leader of a duty. */
export type Term = Lease &
  Readonly<{
    identity: Fence
    /** Fires once the term is over. */
    lost: AbortSignal
    /** The database has extended the term, `leaseMs` from `askedAt` on (`performance.now`). */
    extend: (askedAt: number) => void
    /** Ends the term without a word. */
    end: () => void
  }>

/**
 * A term that ends `leaseMs` after the last request that the database has granted: sooner than the database lets
 * another process begin, as it counts from the request's arrival. Durations count, never the time of day.
 */
export function createTerm(
  {
    leases,
    onLost,
  }: Readonly<{ leases: Pick<Leases, 'isHeld'>; onLost: (reason: string) => void }>,
  { identity, leaseMs, askedAt }: Readonly<{ identity: Fence; leaseMs: number; askedAt: number }>,
): Term {
  const losing = new AbortController()
  let endsAt = askedAt + leaseMs
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    clearTimeout(timer)
    losing.abort()
  }

  function lose(reason: string): void {
    if (losing.signal.aborted) return
    end()
    onLost(reason)
  }

  /** A process that was frozen finds out here, whatever it does first. */
  function isOver(): boolean {
    if (performance.now() >= endsAt) lose('The lease was not renewed in time')
    return losing.signal.aborted
  }

  function watch(): void {
    if (isOver()) return
    clearTimeout(timer)
    timer = setTimeout(watch, Math.ceil(endsAt - performance.now()))
  }

  watch()
  return {
    identity,
    lost: losing.signal,
    end,
    extend: (at) => {
      if (isOver()) return
      endsAt = at + leaseMs
      watch()
    },
    lose: () => lose('Another process leads'),
    fence: () => {
      if (isOver()) throw new LeaseLostError(identity.duty)
      return identity
    },
    confirm: async () => {
      if (!isOver() && !(await leases.isHeld(identity))) lose('Another process leads')
      // The answer may have been waiting while the process was frozen.
      if (isOver()) throw new LeaseLostError(identity.duty)
    },
  }
}
