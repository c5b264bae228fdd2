import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { backOff, pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { LeadershipState } from '#src/gateway/monitoring/workerStatus.ts'
import { type Lease, soleLease } from '#src/requests/lease.ts'
import type { Leases } from '#src/requests/store/queries/leases.ts'
import { createTerm, type Term } from './term.ts'

/** Runs until the signal fires, then ends soon. The lease is that of the current term. */
export type Work = (signal: AbortSignal, lease: Lease) => Promise<void>

/** Elects one leader for each duty among the processes that share a database. */
export type Leadership = Readonly<{
  /**
   * Runs the work while this process is the leader of this duty, and restarts the work if it ends by itself. Returns a
   * function that gives up the leadership. It resolves once the work has ended and another process may lead.
   */
  lead: (duty: string, work: Work) => () => Promise<void>
  stateOf: (duty: string) => LeadershipState
  /** Number of times that this process has lost the lease of the duty, instead of giving it up. */
  lossesOf: (duty: string) => number
  /** Gives up all leaderships. */
  close: () => Promise<void>
}>

/** In milliseconds. */
export type Timing = Readonly<{
  /** Interval between two renewals of a leader's leases. */
  beatMs: number
  /** Duration of a lease after its last renewal. */
  leaseMs: number
  /** Interval between two attempts of a standby to become the leader. */
  retryMs: number
}>

/** A standby leads at most `leaseMs + retryMs` after the leader has stopped or crashed. */
export const defaultTiming: Timing = { beatMs: 2_000, leaseMs: 6_000, retryMs: 1_000 }

/** Work that ran for longer was healthy: the backoff starts again at its minimum. */
const healthyMs = 10_000

/** Without `leases` no other process can use the database, and this process leads every duty. */
export function createLeadership(
  { log, leases }: Readonly<{ log: Log; leases?: Leases | undefined }>,
  { beatMs, leaseMs, retryMs }: Timing = defaultTiming,
): Leadership {
  const holder = `${hostname()} ${randomUUID()}`
  const states = new Map<string, LeadershipState>()
  const losses = new Map<string, number>()
  const terms = new Set<Term>()
  const ends = new Set<() => Promise<void>>()
  const closing = new AbortController()
  /** Whether the current outage was logged. */
  let isOutageLogged = false

  function reportOutage(error: unknown): void {
    if (!isOutageLogged)
      log.warn({ reason: reasonOf(error) }, 'Cannot reach the database to elect a leader')
    isOutageLogged = true
  }

  /** Runs the work until the signal fires, with a backoff after failures. */
  async function leadUntil(
    duty: string,
    work: Work,
    { signal, lease }: Readonly<{ signal: AbortSignal; lease: Lease }>,
  ): Promise<void> {
    if (signal.aborted) return
    states.set(duty, 'leads')
    signal.addEventListener('abort', () => states.delete(duty), { once: true })
    log.info({ name: duty }, 'Became the leader')
    let failures = 0
    while (!signal.aborted) {
      const startedAt = performance.now()
      try {
        await work(signal, lease)
      } catch (error) {
        if (!signal.aborted)
          log.error({ err: error, name: duty }, 'The work of the leader failed; will restart it')
      }
      failures = performance.now() - startedAt > healthyMs ? 1 : failures + 1
      await backOff(failures, signal)
    }
  }

  /** Tries once to begin a term, and leads until it is over. Returns whether this process led. */
  async function tryToLead(given: Leases, duty: string, work: Work, signal: AbortSignal) {
    const askedAt = performance.now()
    let token: bigint | undefined
    try {
      token = await given.acquire(duty, holder, leaseMs)
      isOutageLogged = false
      states.set(duty, 'standsBy')
    } catch (error) {
      reportOutage(error)
      states.set(duty, 'unknown')
    }
    if (token === undefined) return false
    const identity = { duty, token }
    const onLost = (reason: string) => {
      losses.set(duty, (losses.get(duty) ?? 0) + 1)
      log.warn({ name: duty, reason }, 'Lost the leadership')
    }
    const term = createTerm({ leases: given, onLost }, { identity, leaseMs, askedAt })
    terms.add(term)
    await leadUntil(duty, work, { signal: AbortSignal.any([signal, term.lost]), lease: term })
    terms.delete(term)
    term.end()
    await given.release(identity).catch(() => undefined)
    return true
  }

  async function campaign(given: Leases, duty: string, work: Work, signal: AbortSignal) {
    while (!signal.aborted)
      if (!(await tryToLead(given, duty, work, signal))) await pause(retryMs, signal)
  }

  /** Renews all leases with one statement. Returns false if the database has not answered. */
  async function renew(given: Leases): Promise<boolean> {
    const current = [...terms].filter(({ lost }) => !lost.aborted)
    if (current.length === 0) return true
    const askedAt = performance.now()
    try {
      const renewed = new Set(
        await given.renew(
          current.map(({ identity }) => identity),
          leaseMs,
        ),
      )
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

  async function beat(given: Leases): Promise<void> {
    while (!closing.signal.aborted)
      await pause((await renew(given)) ? beatMs : beatMs / 8, closing.signal)
  }

  const beating = leases === undefined ? undefined : beat(leases)

  return {
    lead: (duty, work) => {
      const ending = new AbortController()
      const { signal } = ending
      const ended =
        leases === undefined
          ? leadUntil(duty, work, { signal, lease: soleLease })
          : campaign(leases, duty, work, signal)
      const end = async () => {
        ending.abort()
        await ended
        ends.delete(end)
      }
      ends.add(end)
      return end
    },
    stateOf: (duty) => states.get(duty) ?? 'unknown',
    lossesOf: (duty) => losses.get(duty) ?? 0,
    close: async () => {
      await Promise.all([...ends].map((end) => end()))
      closing.abort()
      await beating
    },
  }
}
