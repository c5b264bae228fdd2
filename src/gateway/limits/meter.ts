import type { OutgoingHttpHeaders } from 'node:http'
import type { AppError } from '#src/core/errors.ts'
import type { Client } from '#src/service/callers.ts'
import { RateLimitedError, type RateLimiter, type RateState } from './rateLimiter.ts'
import { unitsOfArrival } from './units.ts'

/** Charges one request to its client. */
export type Meter = Readonly<{
  /**
   * Charges the arrival before the request is parsed: one unit, and more for a long one. Then waits for a turn of the
   * client. @throws RateLimitedError; OverloadedError.
   */
  arrive: (bytes: number) => Promise<void>
  /**
   * Charges the rest of an operation before it runs: `units` less the one of the arrival. Only the first call is
   * charged, because both executors may start the same operation. @throws RateLimitedError
   */
  execute: (units: number) => Promise<void>
  /** Headers with the client's remaining units. Empty without a limit. */
  headers: () => OutgoingHttpHeaders
}>

/** Creates the meter of a request. */
export type MeterOf = (client: Client) => Meter

/** @param beginTurn see `Turns.begin`. */
export function createMeters(
  beginTurn: (client: Client) => Promise<void>,
  limiter: RateLimiter | undefined,
): MeterOf {
  if (limiter === undefined) return (client) => ({ ...unmetered, arrive: () => beginTurn(client) })
  return (client) => {
    let last: RateState | undefined
    let isCharged = false
    const charge = async (units: number): Promise<void> => {
      try {
        last = await limiter.charge(client, units)
      } catch (error) {
        if (error instanceof RateLimitedError) last = error.state
        throw error
      }
    }
    return {
      arrive: async (bytes) => {
        await charge(unitsOfArrival(bytes))
        await beginTurn(client)
      },
      execute: async (units) => {
        if (isCharged) return
        isCharged = true
        if (units > 1) await charge(units - 1)
      },
      headers: () => (last === undefined ? {} : headersOf(last)),
    }
  }
}

const unmetered = {
  execute: async () => {},
  headers: () => ({}),
} as const satisfies Partial<Meter>

/** The headers of draft-ietf-httpapi-ratelimit-headers-06, which clients know. */
const headersOf = ({ limit, remaining, resetSeconds }: RateState): OutgoingHttpHeaders => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': resetSeconds,
})

/** `Retry-After` of an error that says when to try again. */
export const retryHeaders = ({
  data,
}: Readonly<{ data?: AppError['data'] }>): OutgoingHttpHeaders =>
  typeof data?.['retryAfterSeconds'] === 'number'
    ? { 'retry-after': `${data['retryAfterSeconds']}` }
    : {}
