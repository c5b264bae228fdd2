import { backOff, pause } from '#src/chains/backoff.ts'
import { reasonOf } from '#src/errors.ts'
import type { LeadershipState } from '#src/gateway/monitoring/workerStatus.ts'
import type { Log } from '#src/log.ts'
import { type LockConnection, openLockConnection } from './leadershipConnection.ts'

/** Until the signal fires, whereupon it ends soon. */
type Work = (signal: AbortSignal) => Promise<void>

/** Has each work done by one process at a time, of all that share a database. */
export type Leadership = Readonly<{
  /**
   * Does the work whenever this process is the one that leads by this name, and again where it ends by
   * itself. Gives back what ends it, which resolves once the work has ended and others may lead.
   */
  lead: (name: string, work: Work) => () => Promise<void>
  turnOf: (name: string) => LeadershipState
  /** Ends all that it leads. */
  close: () => Promise<void>
}>

/** How soon a standby asks again: it takes over within so much of a leader's end. */
const askAgainMs = 1_000
/** Work that ran for so long was healthy: the backoff begins anew. */
const healthyMs = 10_000

/** By the locks of the Postgres server at `databaseUrl`; without one this process is alone, and leads. */
export function createLeadership(
  { log }: Readonly<{ log: Log }>,
  { databaseUrl }: Readonly<{ databaseUrl?: string }>,
): Leadership {
  const turns = new Map<string, LeadershipState>()
  const ends = new Set<() => Promise<void>>()
  const connection = createSharedConnection(log, databaseUrl)

  /** Leads until the signal fires. */
  async function leadUntil(name: string, work: Work, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    turns.set(name, 'leads')
    signal.addEventListener('abort', () => turns.delete(name), { once: true })
    log.info({ name }, 'Leads')
    let failures = 0
    while (!signal.aborted) {
      const begun = performance.now()
      try {
        await work(signal)
      } catch (error) {
        if (!signal.aborted) log.error({ err: error, name }, 'The work of a leader failed')
      }
      failures = performance.now() - begun > healthyMs ? 1 : failures + 1
      await backOff(failures, signal)
    }
  }

  /** One try: whether this process led. */
  async function tryToLead(name: string, work: Work, signal: AbortSignal): Promise<boolean> {
    const locks = await connection.get()
    const isFirst = signal.aborted ? false : await locks?.tryLock(name).catch(() => undefined)
    turns.set(name, isFirst === undefined ? 'unknown' : 'standsBy')
    if (locks === undefined || !isFirst) return false
    await leadUntil(name, work, AbortSignal.any([signal, locks.lost]))
    await locks.unlock(name)
    return true
  }

  async function campaign(name: string, work: Work, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      if (!(await tryToLead(name, work, signal))) await pause(askAgainMs, signal)
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
    turnOf: (name) => turns.get(name) ?? 'unknown',
    close: async () => {
      await Promise.all([...ends].map((end) => end()))
      await connection.close()
    },
  }
}

/** One connection for all names, opened again once it is lost. */
function createSharedConnection(log: Log, databaseUrl = '') {
  let opening: Promise<LockConnection | undefined> | undefined
  /** Whether the log has the present outage. */
  let told = false

  async function open(): Promise<LockConnection | undefined> {
    try {
      const opened = await openLockConnection({ log }, databaseUrl)
      told = false
      return opened
    } catch (error) {
      if (!told) log.warn({ reason: reasonOf(error) }, 'Nobody can be asked who leads')
      told = true
      return undefined
    }
  }

  return {
    /** Undefined while the server cannot be reached. */
    get: async () => {
      opening ??= open()
      const asked = opening
      const opened = await asked
      if (opened !== undefined && !opened.lost.aborted) return opened
      // Another may have begun to open the next one in the meantime.
      if (opening === asked) opening = undefined
      return undefined
    },
    close: async () => {
      const opened = await opening
      await opened?.close()
    },
  }
}
