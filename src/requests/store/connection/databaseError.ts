import { setTimeout as delay } from 'node:timers/promises'
import { DrizzleQueryError } from 'drizzle-orm'
import { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'

/** The database failed, or the queue of writes is full. */
export class StoreUnavailableError extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'Requests cannot be stored or read at the moment. Try again.')
  }
}

/** Receivers of a failure. `suspect` checks whether the database takes writes. */
export type FailureDeps = Readonly<{ log: Log; suspect: () => void }>

/** Logs a database error and returns the error for the caller, which does not reveal it. */
export function unavailable(
  { log, suspect }: FailureDeps,
  error: unknown,
  task: string,
): StoreUnavailableError {
  if (!isRefusal(error) && codeOf(error) !== queryCanceled) suspect()
  log.error({ reason: reasonOf(error) }, `Could not ${task}`)
  return new StoreUnavailableError()
}

/**
 * Whether the database refused these values, rather than failed: SQLSTATE classes 22 (data exception), 23 (integrity)
 * and 54 (limit exceeded).
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error))

/** The SQLSTATE of a statement that the server has ended, as its time was up. */
const queryCanceled = '57014'

function codeOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return (cause as { code?: string } | undefined)?.code ?? ''
}

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** Wraps the methods so that a failure of the database throws StoreUnavailableError. */
export function failingAsUnavailable<Of extends Methods>(deps: FailureDeps, methods: Of): Of {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    async (...args: never[]) => {
      try {
        return await method(...args)
      } catch (error) {
        if (error instanceof AppError || isBug(error)) throw error
        throw unavailable(deps, error, `run ${name} of the request store`)
      }
    },
  ])
  return Object.fromEntries(wrapped)
}

/** Wraps the methods so that slow calls to a failing database throw StoreUnavailableError. Their outcome is unknown. */
export function refusingSlow<Of extends Methods>({ refuseSlow }: HealthMonitor, methods: Of): Of {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: never[]) => refuseSlow(method(...args), () => new StoreUnavailableError()),
  ])
  return Object.fromEntries(wrapped)
}

/** Whether the error comes from a bug, or from a row that other code wrote. */
const isBug = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof z.ZodError

type HealthMonitor = Readonly<{
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
