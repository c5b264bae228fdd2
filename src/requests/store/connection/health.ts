import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'

export type HealthMonitor = Readonly<{
  /** As last known. Costs nothing. */
  current: () => StoreHealth
  /** A call has failed: finds out whether the database takes writes, and goes on asking until it does. */
  suspect: () => void
  close: () => void
}>

type Deps = Readonly<{
  log: Log
  /** Writes. Mends what it can. @throws Error with the reason while the database takes no writes. */
  check: () => Promise<void>
}>

const intervalMs = 1_000

/** Watches over a database that fails. Asks nothing while calls succeed. */
export function createHealthMonitor({ log, check }: Deps): HealthMonitor {
  let health: StoreHealth = { ok: true }
  let isChecking = false
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

  return {
    current: () => health,
    suspect: () => {
      if (!isChecking) void checkUntilItPasses()
    },
    close: () => ending.abort(),
  }
}
