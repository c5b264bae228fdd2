import { DrizzleQueryError } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'

/** The database failed, or has fallen too far behind. */
export class StoreUnavailableError extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'Requests cannot be stored or looked up now. Try again.')
  }
}

/** What the caller is told of a database's error, whose own words only the log gets. */
export function unavailable(log: Log, error: unknown, doing: string): StoreUnavailableError {
  log.error({ reason: reasonOf(error) }, `${doing} failed`)
  return new StoreUnavailableError()
}

/** What the driver says: Drizzle's own message holds the whole statement with its values. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  // A host of several addresses fails with an error for each, under an empty message.
  const each: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return each.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
}

/**
 * Whether the database answered that it does not take these values, rather than failed: classes 22
 * (data exception), 23 (integrity) and 54 (a limit is exceeded).
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return /^(22|23|54)/.test((cause as { code?: string } | undefined)?.code ?? '')
}

type Asks = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** Each as it is, but that StoreUnavailableError is what it throws when the database fails. */
export function failingAsUnavailable<Of extends Asks>(log: Log, asks: Of): Of {
  const wrapped = Object.entries(asks).map(([name, ask]) => [
    name,
    async (...args: never[]) => {
      try {
        return await ask(...args)
      } catch (error) {
        if (error instanceof AppError || isBug(error)) throw error
        throw unavailable(log, error, `${name} of the store of requests`)
      }
    },
  ])
  return Object.fromEntries(wrapped)
}

/** Of this code, or in a row that another wrote. */
const isBug = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof z.ZodError
