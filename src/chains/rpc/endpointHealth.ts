import { backoffMs } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import { WrongChainError } from './chainProbe.ts'
import { withDeadline } from './deadline.ts'
import { RateLimitedError, UnusableAnswerError } from './rpcError.ts'

/** The health of an endpoint: whether it serves the configured chain and has not failed recently. */
export type EndpointHealth = Readonly<{
  health: () => 'healthy' | 'unchecked' | 'backingOff'
  /**
   * Whether the endpoint serves the configured chain: known from an earlier check, else checked by one cheap call that
   * concurrent callers share. During a backoff it is called at most about seven times a second.
   * @throws RateLimitedError, which does not affect the health; the reason of `signal`
   */
  check: (signal?: AbortSignal) => Promise<boolean>
  /** Why the last request without an answer failed, without keys. Undefined if none has failed. */
  failure: () => string | undefined
  /** Reports a failure that says nothing about the health, such as a rate limit. */
  noteFailure: (error: UnusableAnswerError) => void
  /** Grows with each good check and with each backoff. */
  period: () => number
  /**
   * Reports a failure of a request that was sent in the period `sentIn`. Starts a backoff, which is longer after each
   * failure. Ignored if a check or a backoff has begun a new period, because a late failure contains no new
   * information. The next use checks the chain again.
   */
  reportFailure: (error: UnusableAnswerError, sentIn: number) => void
}>

const maxBackoffMs = 60_000
const backoffBounds = { minMs: 1_000, maxMs: maxBackoffMs }
/**
 * Shorter than the pause between two rounds of the failover, so that the second round can find the endpoint healthy.
 */
const minCheckMs = 150

type Deps = Readonly<{
  log: Log
  closing: AbortSignal
  redact: (text: string) => string
  /** @throws WrongChainError; what a request throws */
  checkChain: () => Promise<void>
}>

type Endpoint = Readonly<{
  /** Its URL without keys. */
  rpc: string
  chainId: number
  timeoutSeconds: number
}>

export function createEndpointHealth(
  { log, closing, redact, checkChain }: Deps,
  { rpc, chainId, timeoutSeconds }: Endpoint,
): EndpointHealth {
  let checked = false
  let checking: Promise<boolean> | undefined
  let period = 0
  const backoff = new Backoff()
  let failure: string | undefined
  let isFailureLogged = false
  let checkedAt = Number.NEGATIVE_INFINITY

  async function check(signal?: AbortSignal): Promise<boolean> {
    if (checked) return true
    // Many callers may request a check during a backoff.
    const isDue = health() !== 'backingOff' || performance.now() - checkedAt >= minCheckMs
    if (checking === undefined && !isDue) return false
    checking ??= checkNow()
    const current = checking
    return withDeadline(2 * timeoutSeconds, [signal], () => current)
  }

  async function checkNow(): Promise<boolean> {
    const sentIn = period
    checkedAt = performance.now()
    try {
      await checkChain()
      checked = true
      period += 1
      backoff.end()
      if (isFailureLogged) log.info({ chainId, rpc }, 'RPC endpoint works again')
      isFailureLogged = false
    } catch (error) {
      if (error instanceof RateLimitedError) throw error
      reportFailure(
        error instanceof UnusableAnswerError ? error : new UnusableAnswerError(reasonOf(error)),
        sentIn,
      )
    } finally {
      checking = undefined
    }
    return checked
  }

  function reportFailure(error: UnusableAnswerError, sentIn: number): void {
    const now = Date.now()
    // Concurrent requests fail together. They count as one failure.
    noteFailure(error)
    if (closing.aborted || sentIn !== period) return
    checked = false
    period += 1
    const lastsMs = backoff.begin(now, error instanceof WrongChainError)
    if (lastsMs === undefined) return
    const facts = {
      chainId,
      rpc,
      reason: failure,
      backoffSeconds: lastsMs / 1000,
    }
    isFailureLogged = true
    if (error instanceof WrongChainError)
      log.error(facts, 'RPC endpoint serves another chain and is not used')
    else log.warn(facts, 'RPC endpoint failed and is backing off')
  }

  function health(): ReturnType<EndpointHealth['health']> {
    if (backoff.isOn(Date.now())) return 'backingOff'
    return checked ? 'healthy' : 'unchecked'
  }

  function noteFailure(error: UnusableAnswerError): void {
    failure = redact(error.message)
  }

  return { health, check, period: () => period, failure: () => failure, noteFailure, reportFailure }
}

/** The pauses of an endpoint after failures, longer after each one. Times are Unix milliseconds. */
class Backoff {
  #failures = 0
  #failedAt = 0
  /** End of the current backoff. A successful check ends it early. */
  #until = 0
  /** The original end of the last backoff. A failure before it does not lengthen the next backoff. */
  #dueAt = 0

  isOn(now: number): boolean {
    return now < this.#until
  }

  end(): void {
    this.#until = 0
  }

  /** Returns how long the new backoff lasts; undefined if the last one continues, as it was ended too early. */
  begin(now: number, isWrongChain: boolean): number | undefined {
    if (now < this.#dueAt) {
      this.#until = this.#dueAt
      return undefined
    }
    if (now - this.#failedAt > 2 * maxBackoffMs) this.#failures = 0
    this.#failures += 1
    const lastsMs = isWrongChain ? maxBackoffMs : backoffMs(this.#failures, backoffBounds)
    this.#failedAt = now
    this.#dueAt = now + lastsMs
    this.#until = this.#dueAt
    return lastsMs
  }
}

/** Estimates the usual latency of an endpoint, by method. */
type UsualLatency = Readonly<{
  record: (method: string, ms: number) => void
  /** Milliseconds after which an answer is slower than usual. */
  slowAfterMs: (method: string) => number
}>

type Estimate = Readonly<{ mean: number; deviation: number; count: number }>

/** Below this number of answers there is no estimate, and `unknownMs` is used. */
const minCount = 8
const unknownMs = 1_000
const bounds = { minMs: 50, maxMs: 2_000 }

/** @source RFC 6298: mean and deviation as TCP estimates them for its retransmissions. */
export function createUsualLatency(): UsualLatency {
  const estimates = new Map<string, Estimate>()
  return {
    record(method, ms) {
      const { mean, deviation, count } = estimates.get(method) ?? {
        mean: ms,
        deviation: ms / 2,
        count: 0,
      }
      estimates.set(method, {
        mean: mean + (ms - mean) / 8,
        deviation: deviation + (Math.abs(ms - mean) - deviation) / 4,
        count: count + 1,
      })
    },
    slowAfterMs(method) {
      const estimate = estimates.get(method)
      if (estimate === undefined || estimate.count < minCount) return unknownMs
      const { mean, deviation } = estimate
      return Math.min(Math.max(mean + 4 * deviation, bounds.minMs), bounds.maxMs)
    },
  }
}
