import { type Fence, type Lease, LeaseLostError } from '#src/requests/lease.ts'
import type { Leases } from '#src/requests/store/queries/leases.ts'

/** A term of this process as the leader of a duty. */
export type Term = Lease &
  Readonly<{
    identity: Fence
    /** Fires once the term is over. */
    lost: AbortSignal
    /** The database has extended the term: it now ends `leaseMs` after `askedAt` (`performance.now`). */
    extend: (askedAt: number) => void
    /** Ends the term without a call of `onLost`. */
    end: () => void
  }>

/**
 * A term that ends `leaseMs` after the sending of the last granted request. The database counts from the arrival of
 * that request, so that the term ends before another process can begin. Measured by a monotonic clock.
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

  /** Every use of the term checks this, so that a process that was frozen notices the end. */
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
      // The answer may have arrived while the process was frozen.
      if (isOver()) throw new LeaseLostError(identity.duty)
    },
  }
}
