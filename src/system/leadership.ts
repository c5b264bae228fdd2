import { backOff, pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import type { LeadershipState } from '#src/gateway/monitoring/workerStatus.ts'
import { type Lease, soleLease } from '#src/requests/lease.ts'
import type { Leases } from '#src/requests/store/queries/leases.ts'
import { createTerms, type LeaseTiming, type Terms } from './terms.ts'

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
export type Timing = LeaseTiming &
  Readonly<{
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
  { retryMs, ...timing }: Timing = defaultTiming,
): Leadership {
  const states = new Map<string, LeadershipState>()
  const losses = new Map<string, number>()
  const ends = new Set<() => Promise<void>>()
  const terms = leases && createTerms({ log, leases }, timing)

  /** Runs the work until the signal fires, with a backoff after failures. */
  async function leadUntil(
    duty: string,
    work: Work,
    { signal, lease }: Readonly<{ signal: AbortSignal; lease: Lease }>,
  ): Promise<void> {
    if (signal.aborted) return
    states.set(duty, 'leads')
    signal.addEventListener('abort', () => states.delete(duty), { once: true })
    // Alone, a process leads at once.
    log[leases === undefined ? 'debug' : 'info']({ name: duty }, 'Became the leader')
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

  /** Competes for the duty, and leads in each term that it wins. */
  async function campaign({ begin, end }: Terms, duty: string, work: Work, signal: AbortSignal) {
    const onLost = (reason: string) => {
      losses.set(duty, (losses.get(duty) ?? 0) + 1)
      log.warn({ name: duty, reason }, 'Lost the leadership')
    }
    while (!signal.aborted) {
      const term = await begin(duty, onLost)
      states.set(duty, term === 'noAnswer' ? 'unknown' : 'standsBy')
      if (term === 'noAnswer' || term === 'taken') {
        await pause(retryMs, signal)
        continue
      }
      await leadUntil(duty, work, { signal: AbortSignal.any([signal, term.lost]), lease: term })
      await end(term)
    }
  }

  return {
    lead: (duty, work) => {
      const ending = new AbortController()
      const { signal } = ending
      const ended =
        terms === undefined
          ? leadUntil(duty, work, { signal, lease: soleLease })
          : campaign(terms, duty, work, signal)
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
      await terms?.close()
    },
  }
}
