import { backoffMs } from '#src/chains/backoff.ts'
import { RateLimitedError } from './rpcError.ts'
import { type Priority, priorities, shareOf } from './rpcRequest.ts'

type Waiting = Readonly<{ admit: () => void; reject: (reason: unknown) => void }>

/** Enough for the start of the slowest configuration, and a bound of the memory. */
const maxWaiting = 10_000

type Limits = Readonly<{
  /** Infinity where no limit is known. */
  requestsPerSecond: number
  maxInFlight: number
  /** When it fires, waiting and later requests are rejected. */
  closing: AbortSignal
}>

/** Limits the request rate and the concurrent requests of one endpoint. More urgent requests start first. */
export class RequestBudget {
  readonly #maxInFlight: number
  readonly #closing: AbortSignal
  readonly #rate: RequestRate
  readonly #queues = new Map(priorities.map((priority) => [priority, new Set<Waiting>()]))
  #inFlight = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ requestsPerSecond, maxInFlight, closing }: Limits) {
    this.#maxInFlight = maxInFlight
    this.#closing = closing
    this.#rate = new RequestRate(requestsPerSecond)
    closing.addEventListener('abort', () => {
      clearTimeout(this.#timer)
      for (const waiting of [...this.#queues.values()].flatMap((queue) => [...queue]))
        waiting.reject(closing.reason)
    })
  }

  /**
   * Runs `work` once the limits allow it. If it throws RateLimitedError, later work is slowed down. A fired `signal`
   * removes waiting work from the queue.
   * @throws RateLimitedError if the queue is full; the reason of `signal`; what `work` throws.
   */
  async run<Result>(
    priority: Priority,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const startedAt = await this.#enter(priority, signal)
    try {
      const result = await work()
      this.#rate.reportAnswer(this.#waitingCount() > 0)
      return result
    } catch (error) {
      if (error instanceof RateLimitedError) this.#rate.reportRefusal(startedAt, error.retryAfterMs)
      throw error
    } finally {
      this.#inFlight -= 1
      this.#admitWaiting()
    }
  }

  /** Whether a request of this priority would have to wait. */
  isFull(priority: Priority): boolean {
    const upTo = priorities.slice(0, priorities.indexOf(priority) + 1)
    const hasQueue = upTo.some((each) => (this.#queues.get(each)?.size ?? 0) > 0)
    return hasQueue || !this.#canStart(priority)
  }

  state() {
    return {
      inFlight: this.#inFlight,
      waiting: this.#waitingCount(),
      /** The configured or learnt rate; Infinity while none is known. */
      requestsPerSecond: this.#rate.perSecond,
    }
  }

  /** Waits until the work may start, and returns the start time. */
  #enter(priority: Priority, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted()
    this.#closing.throwIfAborted()
    if (!this.isFull(priority)) return Promise.resolve(this.#start())
    if (this.#waitingCount() >= maxWaiting)
      throw new RateLimitedError('too many requests wait for this endpoint')
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(priority)
      const forget = () => {
        signal?.removeEventListener('abort', abort)
        queue?.delete(waiting)
      }
      const waiting: Waiting = {
        admit: () => {
          forget()
          resolve(this.#start())
        },
        reject: (reason) => {
          forget()
          reject(reason)
        },
      }
      const abort = () => waiting.reject(signal?.reason)
      queue?.add(waiting)
      signal?.addEventListener('abort', abort, { once: true })
      this.#admitWaiting()
    })
  }

  /** Starts the waiting work that the limits allow, and sets the timer for the next. */
  #admitWaiting(): void {
    clearTimeout(this.#timer)
    let soonestMs = Number.POSITIVE_INFINITY
    for (const [priority, queue] of this.#queues) {
      for (const waiting of queue) {
        if (!this.#canStart(priority)) break
        waiting.admit()
      }
      // If the limit of concurrent requests is reached, the end of other work calls this method.
      if (queue.size > 0 && this.#hasPlace(priority))
        soonestMs = Math.min(soonestMs, this.#rate.waitMs(priority))
    }
    if (soonestMs < Number.POSITIVE_INFINITY)
      this.#timer = setTimeout(() => this.#admitWaiting(), Math.ceil(Math.max(soonestMs, 1)))
  }

  #start(): number {
    this.#inFlight += 1
    return this.#rate.start()
  }

  #canStart(priority: Priority): boolean {
    return this.#hasPlace(priority) && this.#rate.waitMs(priority) <= 0
  }

  #hasPlace(priority: Priority): boolean {
    return this.#inFlight < shareOf(priority, this.#maxInFlight)
  }

  #waitingCount(): number {
    return [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0)
  }
}

/** Longer than a second, because requests that are sent a second apart may arrive closer together. */
const windowMs = 1_050
/** The pause after a refusal without Retry-After. It doubles with each refusal until the next answer. */
const pauseBounds = { minMs: 1_000, maxMs: 30_000 }
/** A learnt rate is raised at most once in this interval, by this factor. */
const raiseEveryMs = 10_000
const raiseFactor = 1.1
const minPerSecond = 1

/** The maximum number of requests per second, as configured or learnt from the endpoint's refusals. */
class RequestRate {
  readonly #configured: number
  readonly #starts = new RecentTimes()
  readonly #answers = new RecentTimes()
  #perSecond: number
  #pausedUntil = 0
  #changedAt = -1
  #refusalsInARow = 0

  /** @param configured Infinity where no limit is known. */
  constructor(configured: number) {
    this.#configured = configured
    this.#perSecond = configured
  }

  get perSecond(): number {
    return this.#perSecond
  }

  /** Milliseconds until a request of this priority may start; 0 or less if it may start now. */
  waitMs(priority: Priority): number {
    const now = performance.now()
    const pauseMs = this.#pausedUntil - now
    if (this.#perSecond === Number.POSITIVE_INFINITY) return pauseMs
    this.#starts.forget(now - this.#windowMs())
    const oldest = this.#starts.newest(shareOf(priority, this.#perSecond))
    return oldest === undefined ? pauseMs : Math.max(pauseMs, oldest + this.#windowMs() - now)
  }

  /** Counts a request that starts now. Returns the time, for `reportRefusal`. */
  start(): number {
    return this.#addNow(this.#starts)
  }

  /** @param isScarce whether other requests wait. Only then the learnt rate is raised. */
  reportAnswer(isScarce: boolean): void {
    this.#refusalsInARow = 0
    const now = this.#addNow(this.#answers)
    const isDue = now - this.#changedAt >= raiseEveryMs
    if (!isScarce || this.#perSecond >= this.#configured || !isDue) return
    this.#perSecond = Math.min(this.#perSecond * raiseFactor, this.#configured)
    this.#changedAt = now
  }

  /** The endpoint refused a request that started at `startedAt`, and asked to wait `retryAfterMs`. */
  reportRefusal(startedAt: number, retryAfterMs: number | undefined): void {
    const now = performance.now()
    // Concurrent requests are refused together. They count as one refusal.
    const isNews = startedAt > this.#changedAt
    if (isNews) this.#refusalsInARow += 1
    const pauseMs = retryAfterMs ?? (isNews ? backoffMs(this.#refusalsInARow, pauseBounds) : 0)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs)
    if (!isNews) return
    for (const times of [this.#starts, this.#answers]) times.forget(now - this.#windowMs())
    // The answers in the window show the allowed rate. Half of the starts is a floor, as answers may be under way.
    const allowed = Math.max(0.9 * this.#answers.count, 0.5 * this.#starts.count)
    this.#perSecond = Math.min(Math.max(allowed, minPerSecond), this.#perSecond)
    this.#changedAt = now
  }

  #addNow(times: RecentTimes): number {
    const now = performance.now()
    times.forget(now - this.#windowMs())
    times.add(now)
    return now
  }

  /** A rate below one per second needs a longer window. */
  #windowMs(): number {
    return this.#perSecond < 1 ? windowMs / this.#perSecond : windowMs
  }
}

/** Times in ascending order. The window may contain thousands, so that no call copies or searches them. */
class RecentTimes {
  readonly #times: number[] = []
  /** Place of the oldest time that counts. */
  #first = 0

  get count(): number {
    return this.#times.length - this.#first
  }

  add(time: number): void {
    this.#times.push(time)
  }

  /** Removes the times up to `until`. */
  forget(until: number): void {
    while ((this.#times[this.#first] ?? Number.POSITIVE_INFINITY) <= until) this.#first += 1
    // Moves the rest only after as many times were removed.
    if (this.#first < 1_000 || this.#first < this.count) return
    this.#times.splice(0, this.#first)
    this.#first = 0
  }

  /** The `rank`-th newest time, from 1; undefined if there are fewer. */
  newest(rank: number): number | undefined {
    return rank > this.count ? undefined : this.#times[this.#times.length - rank]
  }
}
