import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import { type Fence, type Lease, LeaseLostError } from '#src/requests/lease.ts'
import type { Leases } from '#src/requests/store/queries/leases.ts'

/** A term of this process as the leader of a duty. */
type Term = Lease &
  Readonly<{
    identity: Fence
    /** Fires once the term is over. */
    lost: AbortSignal
    /** The database has extended the term: it now ends `leaseMs` after `askedAt` (`performance.now`). */
    extend: (askedAt: number) => void
    /** Ends the term without a call of `onLost`. */
    end: () => void
  }>

/** In milliseconds. */
export type LeaseTiming = Readonly<{
  /** Interval between two renewals of a leader's leases. */
  beatMs: number
  /** Duration of a lease after its last renewal. */
  leaseMs: number
}>

/** The terms of this process. */
export type Terms = Readonly<{
  /** Tries once to begin a term. `taken`: another process leads. `noAnswer`: the database does not answer. */
  begin: (duty: string, onLost: (reason: string) => void) => Promise<Term | 'taken' | 'noAnswer'>
  /** Ends the term and releases its lease, so that another process can lead at once. */
  end: (term: Term) => Promise<void>
  close: () => Promise<void>
}>

/** Renews the leases of all terms of this process with one statement. */
export function createTerms(
  { log, leases }: Readonly<{ log: Log; leases: Leases }>,
  { beatMs, leaseMs }: LeaseTiming,
): Terms {
  const holder = `${hostname()} ${randomUUID()}`
  const terms = new Set<Term>()
  const closing = new AbortController()
  /** Whether the current outage was logged. */
  let isOutageLogged = false

  function reportOutage(error: unknown): void {
    if (!isOutageLogged)
      log.warn({ reason: reasonOf(error) }, 'Cannot reach the database to elect a leader')
    isOutageLogged = true
  }

  /** Returns false if the database has not answered. */
  async function renew(): Promise<boolean> {
    const current = [...terms].filter(({ lost }) => !lost.aborted)
    if (current.length === 0) return true
    const askedAt = performance.now()
    try {
      const identities = current.map(({ identity }) => identity)
      const renewed = new Set(await leases.renew(identities, leaseMs))
      isOutageLogged = false
      for (const term of current)
        if (renewed.has(term.identity.duty)) term.extend(askedAt)
        else term.lose()
      return true
    } catch (error) {
      reportOutage(error)
      return false
    }
  }

  async function beat(): Promise<void> {
    while (!closing.signal.aborted)
      await pause((await renew()) ? beatMs : beatMs / 8, closing.signal)
  }

  const beating = beat()

  return {
    begin: async (duty, onLost) => {
      const askedAt = performance.now()
      try {
        const token = await leases.acquire(duty, holder, leaseMs)
        isOutageLogged = false
        if (token === undefined) return 'taken'
        const term = createTerm({ leases, onLost }, { identity: { duty, token }, leaseMs, askedAt })
        terms.add(term)
        return term
      } catch (error) {
        reportOutage(error)
        return 'noAnswer'
      }
    },
    end: async (term) => {
      terms.delete(term)
      term.end()
      await leases.release(term.identity).catch(() => undefined)
    },
    close: async () => {
      closing.abort()
      await beating
    },
  }
}

/**
 * A term that ends `leaseMs` after the sending of the last granted request. The database counts from the arrival of
 * that request, so that the term ends before another process can begin. Measured by a monotonic clock.
 */
function createTerm(
  { leases, onLost }: Readonly<{ leases: Leases; onLost: (reason: string) => void }>,
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
