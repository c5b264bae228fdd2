import { DrizzleQueryError } from 'drizzle-orm'
import { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { HealthMonitor } from './health.ts'

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
