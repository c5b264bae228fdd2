import { Redis } from 'ioredis'
import { createCallGate } from '#src/chains/rpc/callGate.ts'
import type { Environment } from '#src/config/environment.ts'
import type { Log } from '#src/config/log.ts'
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimits,
} from '#src/gateway/limits/rateLimiter.ts'
import type { LimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import type { createGateway } from '#src/gateway/server.ts'
import { redisName } from '#src/requests/events/redisBus.ts'
import type { Identify } from '#src/service/callers.ts'
import { OverloadedError } from '#src/service/limits/overloadedError.ts'

type GatewayOptions = NonNullable<Parameters<typeof createGateway>[1]>

/** The gateway's limits in the environment. */
export type GatewayLimits = SharedRates &
  Readonly<{
    connections?: GatewayOptions['connections']
    admission?: GatewayOptions['admission']
    /** Maximum number of parallel requests to a chain's nodes that callers can cause. */
    callerCalls: number
  }>

type SharedRates = Readonly<{
  rates: RateLimits
  /** Counts that the gateways of one database share. Absent: each process counts for itself. */
  redis?: SharedCounts | undefined
}>

/** The Redis server of the counts, and the prefix of their keys. */
export type SharedCounts = Readonly<{ url: string; keyPrefix: string }>

/**
 * Maximum numbers of quotes that are being written to the database, and that wait for it. The writes of trackers and
 * solvers therefore wait behind few quotes, even under load.
 */
const storing = { maxRunning: 64, maxWaiting: 128 }

/** Stores a limited number of quotes at a time. @throws OverloadedError if too many wait */
export function limitConcurrentStores<Quote>(
  put: (quote: Quote) => Promise<void>,
): (quote: Quote) => Promise<void> {
  const gate = createCallGate(() => new OverloadedError(), storing)
  return (quote) => gate.run(() => put(quote))
}

/** Maximum time that a request waits for a count. Redis usually answers in well under a millisecond. */
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

/** Undefined without Redis, or with an embedded database, which only one process uses. */
function sharedCountsOf(environment: Environment): SharedCounts | undefined {
  const { REDIS_URL: url, DATABASE_URL: databaseUrl } = environment
  if (url === undefined || databaseUrl === undefined) return undefined
  return { url, keyPrefix: redisName('rate', databaseUrl) }
}

/** The rate limiter, with its own connection to Redis. */
export function openRateLimiter(
  deps: Readonly<{ log: Log; identify: Identify; metrics: LimitMetrics }>,
  { rates, redis: counts }: SharedRates,
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
  // The rate limiter reports failures. Without a listener, an error event would end the process.
  redis?.on('error', () => {})
  return {
    rateLimiter: createRateLimiter(
      { ...deps, shared: redis && counts && { redis, keyPrefix: counts.keyPrefix } },
      rates,
    ),
    close: () => redis?.disconnect(),
  }
}
