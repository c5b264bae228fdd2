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
import { redisName } from '#src/requests/events/redisName.ts'

type GatewayOptions = NonNullable<Parameters<typeof createGateway>[1]>

/** What the environment says of the limits of the gateway. */
export type GatewayLimits = Pick<GatewayOptions, 'connections' | 'admission'> &
  Readonly<{
    rates: RateLimits
    /** Most requests to the nodes of a chain that callers can cause at a time. */
    callerCalls: number
    /** Where the gateways of one database count together. Absent: each process counts for itself. */
    redis?: SharedCounts | undefined
  }>

/** The Redis server that holds the counts, and how their keys begin. */
export type SharedCounts = Readonly<{ url: string; keyPrefix: string }>

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
  redis: sharedCountsOf(environment),
  admission: {
    maxQueueMs: environment.MAX_QUEUE_MS,
    maxInFlight: environment.MAX_IN_FLIGHT,
  },
  connections: {
    maxConnections: environment.MAX_CONNECTIONS,
    maxConnectionsPerAddress: environment.MAX_CONNECTIONS_PER_ADDRESS,
  },
})

/** The process with an embedded database is the only one that uses it. */
function sharedCountsOf(environment: Environment): SharedCounts | undefined {
  const { REDIS_URL: url, DATABASE_URL: databaseUrl } = environment
  if (url === undefined || databaseUrl === undefined) return undefined
  return { url, keyPrefix: redisName('rate', databaseUrl) }
}

/** The rate limiter, with its own connection to Redis. */
export function openRateLimiter(
  deps: Readonly<{ log: Log; identify: Identify; metrics: LimitMetrics }>,
  { rates, redis: counts }: Pick<GatewayLimits, 'rates' | 'redis'>,
): Readonly<{ rateLimiter: RateLimiter; close: () => void }> {
  const redis =
    counts === undefined
      ? undefined
      : new Redis(counts.url, {
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
    rateLimiter: createRateLimiter(
      { ...deps, shared: redis && counts && { redis, keyPrefix: counts.keyPrefix } },
      rates,
    ),
    close: () => redis?.disconnect(),
  }
}
