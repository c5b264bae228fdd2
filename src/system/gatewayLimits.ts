import { Redis } from 'ioredis'
import { createCallGate } from '#src/chains/rpc/callGate.ts'
import type { Environment } from '#src/environment.ts'
import { OverloadedError } from '#src/gateway/limits/admission.ts'
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimits,
} from '#src/gateway/limits/rateLimiter.ts'
import type { LimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import type { createGateway } from '#src/gateway/server.ts'
import type { Log } from '#src/log.ts'
import type { Identify } from '#src/operations/callers.ts'

type GatewayOptions = NonNullable<Parameters<typeof createGateway>[1]>

/** What the environment says of the limits of the gateway. */
export type GatewayLimits = Pick<GatewayOptions, 'connections' | 'admission'> &
  Readonly<{
    rates: RateLimits
    /** Most requests to the nodes of a chain that callers can cause at a time. */
    callerCalls: number
    /** Where gateways count together. */
    redisUrl?: string | undefined
  }>

/**
 * Quotes that are written to the database at a time, and that wait for it. The writes of trackers and solvers then wait behind
 * few quotes, however many are asked for.
 */
const storing = { maxRunning: 64, maxWaiting: 128 }

/** Stores quotes a few at a time. @throws OverloadedError where too many wait */
export function storeFew<Quote>(
  put: (quote: Quote) => Promise<void>,
): (quote: Quote) => Promise<void> {
  const gate = createCallGate(() => new OverloadedError(), storing)
  return (quote) => gate.run(() => put(quote))
}

/** Redis answers in well under a millisecond. A request waits no longer for a count. */
const redisAnswerMs = 100

export const limitsOf = (environment: Environment): GatewayLimits => ({
  rates: {
    addressUnits: environment.RATE_LIMIT_UNITS,
    keyUnits: environment.RATE_LIMIT_KEY_UNITS,
    windowSeconds: environment.RATE_LIMIT_SECONDS,
  },
  callerCalls: environment.MAX_CALLER_RPC_CALLS,
  redisUrl: environment.REDIS_URL,
  admission: {
    maxQueueMs: environment.MAX_QUEUE_MS,
    maxInFlight: environment.MAX_IN_FLIGHT,
  },
  connections: {
    maxConnections: environment.MAX_CONNECTIONS,
    maxConnectionsPerAddress: environment.MAX_CONNECTIONS_PER_ADDRESS,
  },
})

/** The rate limiter, with its own connection to Redis. */
export function openRateLimiter(
  deps: Readonly<{ log: Log; identify: Identify; metrics: LimitMetrics }>,
  { rates, redisUrl }: Pick<GatewayLimits, 'rates' | 'redisUrl'>,
): Readonly<{ rateLimiter: RateLimiter; close: () => void }> {
  const redis =
    redisUrl === undefined
      ? undefined
      : new Redis(redisUrl, {
          connectionName: 'crossquote-rates',
          commandTimeout: redisAnswerMs,
          enableOfflineQueue: false,
          autoResendUnfulfilledCommands: false,
          maxRetriesPerRequest: 0,
          retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
        })
  // The limiter tells a failure where it matters. Without a listener it would end the process.
  redis?.on('error', () => {})
  return {
    rateLimiter: createRateLimiter({ ...deps, redis }, rates),
    close: () => redis?.disconnect(),
  }
}
