import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'

export type HealthMonitor = Readonly<{
  /** The last known health. Asks nothing of the database. */
  current: () => StoreHealth
  /** A call has failed: checks every second whether the database takes writes, until it does. */
  suspect: () => void
  /**
   * Awaits a call. A slow call makes the database suspect. It fails with `refusal` once a check has failed, and its
   * outcome is then unknown.
   */
  refuseSlow: <Value>(call: Promise<Value>, refusal: () => Error) => Promise<Value>
  close: () => void
}>

type Deps = Readonly<{
  log: Log
  /** Tests a write, and restarts an embedded database that has stopped. @throws Error with the reason of a failure */
  check: () => Promise<void>
}>

const intervalMs = 1_000

/** A call that takes longer makes the database suspect. Usual calls take milliseconds. */
const slowMs = 2_000

/** Monitors a failing database. Checks nothing while calls succeed. */
export function createHealthMonitor({ log, check }: Deps): HealthMonitor {
  let health: StoreHealth = { ok: true }
  let isChecking = false
  /** Functions that refuse the slow calls. */
  const slow = new Set<() => void>()
  const ending = new AbortController()

  async function passes(): Promise<boolean> {
    try {
      await check()
      if (!health.ok) log.info('Requests can be stored again')
      health = { ok: true }
    } catch (error) {
      const reason = reasonOf(error)
      if (health.ok || health.reason !== reason) log.error({ reason }, 'Requests cannot be stored')
      health = { ok: false, reason }
      for (const refuse of slow) refuse()
    }
    return health.ok
  }

  async function checkUntilItPasses(): Promise<void> {
    isChecking = true
    while (!ending.signal.aborted && !(await passes()))
      await delay(intervalMs, undefined, { signal: ending.signal, ref: false }).catch(
        () => undefined,
      )
    isChecking = false
  }

  const suspect = (): void => {
    if (!isChecking) void checkUntilItPasses()
  }

  return {
    current: () => health,
    suspect,
    refuseSlow: async (call, refusal) => {
      const { promise, reject } = Promise.withResolvers<never>()
      const refuse = () => reject(refusal())
      const timer = setTimeout(() => {
        slow.add(refuse)
        if (health.ok) suspect()
        else refuse()
      }, slowMs)
      try {
        return await Promise.race([call, promise])
      } finally {
        clearTimeout(timer)
        slow.delete(refuse)
      }
    },
    close: () => ending.abort(),
  }
}
