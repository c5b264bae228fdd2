import { backOff, pause } from '#src/chains/backoff.ts'
import { reasonOf } from '#src/errors.ts'
import type { LeadershipState } from '#src/gateway/monitoring/workerStatus.ts'
import type { Log } from '#src/log.ts'
import { type LockConnection, openLockConnection } from './leadershipConnection.ts'

/** Runs until the signal fires, then ends soon. */
type Work = (signal: AbortSignal) => Promise<void>

/** Elects one leader for each name among the processes that share a database. */
export type Leadership = Readonly<{
  /**
   * Runs the work while this process is the leader of this name, and restarts it when it ends by itself. Returns a
   * function that gives up the leadership: it resolves once the work has ended and another process may lead.
   */
  lead: (name: string, work: Work) => () => Promise<void>
  stateOf: (name: string) => LeadershipState
  /** Gives up all leaderships. */
  close: () => Promise<void>
}>

/** How often a standby tries to become the leader: it takes over this long after the leader ends. */
const retryMs = 1_000
/** Work that ran for so long was healthy: the backoff starts again at its minimum. */
const healthyMs = 10_000

/** Uses advisory locks of the Postgres server at `databaseUrl`. Without a server this process always leads. */
export function createLeadership(
  { log }: Readonly<{ log: Log }>,
  { databaseUrl }: Readonly<{ databaseUrl?: string }>,
): Leadership {
  const states = new Map<string, LeadershipState>()
  const ends = new Set<() => Promise<void>>()
  const connection = createSharedConnection(log, databaseUrl)

  /** Runs the work until the signal fires, with a backoff after failures. */
  async function leadUntil(name: string, work: Work, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    states.set(name, 'leads')
    signal.addEventListener('abort', () => states.delete(name), { once: true })
    log.info({ name }, 'Became the leader')
    let failures = 0
    while (!signal.aborted) {
      const startedAt = performance.now()
      try {
        await work(signal)
      } catch (error) {
        if (!signal.aborted)
          log.error({ err: error, name }, 'The work of the leader failed; will restart it')
      }
      failures = performance.now() - startedAt > healthyMs ? 1 : failures + 1
      await backOff(failures, signal)
    }
  }

  /** Tries once to get the lock. Returns whether this process led. */
  async function tryToLead(name: string, work: Work, signal: AbortSignal): Promise<boolean> {
    const locks = await connection.get()
    const hasLock = signal.aborted ? false : await locks?.tryLock(name).catch(() => undefined)
    states.set(name, hasLock === undefined ? 'unknown' : 'standsBy')
    if (locks === undefined || !hasLock) return false
    await leadUntil(name, work, AbortSignal.any([signal, locks.lost]))
    await locks.unlock(name)
    return true
  }

  async function campaign(name: string, work: Work, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if (!(await tryToLead(name, work, signal))) await pause(retryMs, signal)
  }

  return {
    lead: (name, work) => {
      const ending = new AbortController()
      const { signal } = ending
      const ended =
        databaseUrl === undefined ? leadUntil(name, work, signal) : campaign(name, work, signal)
      const end = async () => {
        ending.abort()
        await ended
        ends.delete(end)
      }
      ends.add(end)
      return end
    },
    stateOf: (name) => states.get(name) ?? 'unknown',
    close: async () => {
      await Promise.all([...ends].map((end) => end()))
      await connection.close()
    },
  }
}

/** One connection for all names. Opens a new one after it is lost. */
function createSharedConnection(log: Log, databaseUrl = '') {
  let opening: Promise<LockConnection | undefined> | undefined
  /** Whether the current outage was logged. */
  let isLogged = false

  async function open(): Promise<LockConnection | undefined> {
    try {
      const opened = await openLockConnection({ log }, databaseUrl)
      isLogged = false
      return opened
    } catch (error) {
      if (!isLogged)
        log.warn({ reason: reasonOf(error) }, 'Cannot reach the database to elect a leader')
      isLogged = true
      return undefined
    }
  }

  return {
    /** Undefined while the server cannot be reached. */
    get: async () => {
      opening ??= open()
      const current = opening
      const opened = await current
      if (opened !== undefined && !opened.lost.aborted) return opened
      // Another caller may already be opening the next connection.
      if (opening === current) opening = undefined
      return undefined
    },
    close: async () => {
      const opened = await opening
      await opened?.close()
    },
  }
}
