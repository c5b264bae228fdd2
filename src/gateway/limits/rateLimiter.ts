import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { type Client, type Identify, knownCaller, quotaOf } from '#src/service/callers.ts'

export type RateLimits = Readonly<{
  /** Units in each window for one network address; 0 for no limit. See `units`. */
  addressUnits: number
  /** The same for one API key, from all its addresses together. */
  keyUnits: number
  windowSeconds: number
}>

/** The remaining units of a client in its current window. */
export type RateState = Readonly<{ limit: number; remaining: number; resetSeconds: number }>

/** The client has used up the units of its window. */
export class RateLimitedError extends AppError {
  readonly state: RateState

  constructor(state: RateState, units: number) {
    const { limit, resetSeconds: retryAfterSeconds } = state
    super(
      'RATE_LIMITED',
      `You have used up your limit of ${limit} units. Try again in ${retryAfterSeconds} s, or ask the operator for an API key.`,
      { retryAfterSeconds, limit, units },
    )
    this.state = state
  }
}

export type RateLimiter = Readonly<{
  /**
   * Takes units from a client's window; `undefined` if it has no limit.
   * @throws RateLimitedError
   */
  charge: (client: Client, units: number) => Promise<RateState | undefined>
}>

type Deps = Readonly<{
  log: Readonly<{ warn: Log['warn'] }>
  identify: Identify
  metrics: Readonly<{ countLimited: (by: 'address' | 'key') => void; countFallback: () => void }>
  /**
   * Redis, in which all gateways of a database count together under `keyPrefix`. Without it, each process counts for
   * itself.
   */
  shared?: Readonly<{ redis: Redis; keyPrefix: string }> | undefined
}>

/**
 * Counts in memory, or in Redis. While Redis does not answer, each process counts in memory: the limit then holds per
 * process, and `crossquote_rate_limit_fallbacks_total` counts these charges. After one timeout, no request waits for
 * Redis until a new connection is ready.
 */
export function createRateLimiter(
  { log, identify, metrics, shared: counts }: Deps,
  { addressUnits, keyUnits, windowSeconds }: RateLimits,
): RateLimiter {
  const redis = counts?.redis
  const windowOf = (points: number, by: 'address' | 'key') => {
    const options = { points, duration: windowSeconds }
    const memory = new RateLimiterMemory(options)
    const shared =
      counts &&
      new RateLimiterRedis({
        ...options,
        keyPrefix: `${counts.keyPrefix}:${by}`,
        storeClient: counts.redis,
        inMemoryBlockOnConsumed: points + 1,
      })
    return { points, memory, shared }
  }
  const windows = {
    address: windowOf(addressUnits, 'address'),
    key: windowOf(keyUnits, 'key'),
  }
  let isFailing = false
  /** True from a failure until a new connection to Redis is ready. */
  let isReplaced = false
  redis?.on('ready', () => {
    isReplaced = false
  })
  const fail = (reason: string): void => {
    if (!isFailing)
      log.warn({ reason }, 'Redis does not answer; this process counts its rate limits by itself')
    isFailing = true
  }

  /** @throws RateLimiterRes if the units are used up. */
  const consume = async (
    { memory, shared }: ReturnType<typeof windowOf>,
    name: string,
    units: number,
  ): Promise<RateLimiterRes> => {
    if (shared === undefined) return memory.consume(name, units)
    if (redis?.status !== 'ready') fail('not connected')
    else if (!isReplaced)
      try {
        const state = await shared.consume(name, units)
        isFailing = false
        return state
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error
        // A hanging connection does not close by itself, and each request would wait for it.
        if (!isReplaced) redis.disconnect(true)
        isReplaced = true
        fail(reasonOf(error))
      }
    metrics.countFallback()
    return memory.consume(name, units)
  }

  return {
    charge: async (client, units) => {
      const name = quotaOf(knownCaller(identify, client), client)
      const by = name.startsWith('key:') ? 'key' : 'address'
      const window = windows[by]
      if (window.points === 0) return undefined
      const stateOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes): RateState => ({
        limit: window.points,
        remaining: remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      })
      try {
        return stateOf(await consume(window, name, units))
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        metrics.countLimited(by)
        throw new RateLimitedError(stateOf(error), units)
      }
    },
  }
}
