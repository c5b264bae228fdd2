import { backoffMs } from '#src/chains/backoff.ts'
import { RateLimitedError } from '#src/chains/rpc/rpcError.ts'
import { type Priority, priorities, shareOf } from './priority.ts'

/** Limits the request rate and the concurrent requests of one endpoint. More urgent requests start first. */
export type RequestBudget = Readonly<{
  /**
   * Runs `work` once the limits allow it. If it throws RateLimitedError, later work is slowed down. A fired `signal`
   * removes waiting work from the queue.
   * @throws RateLimitedError if the queue is full; the reason of `signal`; what `work` throws.
   */
  run: <Result>(
    priority: Priority,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>
  /** Whether a request of this priority would have to wait. */
  isFull: (priority: Priority) => boolean
  state: () => Readonly<{
    inFlight: number
    waiting: number
    /** The configured or learnt rate; Infinity while none is known. */
    requestsPerSecond: number
  }>
}>

type Waiting = Readonly<{ admit: () => void; reject: (reason: unknown) => void }>

/** Enough for the start of the slowest configuration, and a bound of the memory. */
const maxWaiting = 10_000

/** @param closing when it fires, waiting and later requests are rejected. */
export function createRequestBudget({
  requestsPerSecond,
  maxInFlight,
  closing,
}: Readonly<{
  requestsPerSecond: number
  maxInFlight: number
  closing: AbortSignal
}>): RequestBudget {
  const queues = new Map(priorities.map((priority) => [priority, new Set<Waiting>()]))
  const rate = createRequestRate(requestsPerSecond)
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined

  const waitingCount = () => [...queues.values()].reduce((sum, { size }) => sum + size, 0)
  const hasPlace = (priority: Priority) => inFlight < shareOf(priority, maxInFlight)
  const canStart = (priority: Priority) => hasPlace(priority) && rate.waitMs(priority) <= 0
  /** Whether requests of this or a more urgent priority are waiting. */
  const hasQueue = (priority: Priority) =>
    priorities
      .slice(0, priorities.indexOf(priority) + 1)
      .some((each) => (queues.get(each)?.size ?? 0) > 0)
  const isFull = (priority: Priority) => hasQueue(priority) || !canStart(priority)

  /** Waits until the work may start, and returns the start time. */
  function enter(priority: Priority, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted()
    closing.throwIfAborted()
    const start = () => {
      inFlight += 1
      return rate.start()
    }
    if (!isFull(priority)) return Promise.resolve(start())
    if (waitingCount() >= maxWaiting)
      throw new RateLimitedError('too many requests wait for this endpoint')
    return new Promise((resolve, reject) => {
      const forget = () => signal?.removeEventListener('abort', abort)
      const waiting: Waiting = {
        admit: () => {
          forget()
          resolve(start())
        },
        reject: (reason) => {
          forget()
          queues.get(priority)?.delete(waiting)
          reject(reason)
        },
      }
      const abort = () => waiting.reject(signal?.reason)
      queues.get(priority)?.add(waiting)
      signal?.addEventListener('abort', abort, { once: true })
      admitWaiting()
    })
  }

  /** Starts the waiting work that the limits allow, and sets the timer for the next. */
  function admitWaiting(): void {
    clearTimeout(timer)
    let soonestMs = Number.POSITIVE_INFINITY
    for (const priority of priorities) {
      const queue = queues.get(priority) ?? new Set<Waiting>()
      for (const waiting of queue) {
        if (!canStart(priority)) break
        queue.delete(waiting)
        waiting.admit()
      }
      // If the limit of concurrent requests is reached, the end of other work calls this function.
      if (queue.size > 0 && hasPlace(priority))
        soonestMs = Math.min(soonestMs, rate.waitMs(priority))
    }
    if (soonestMs < Number.POSITIVE_INFINITY)
      timer = setTimeout(admitWaiting, Math.ceil(Math.max(soonestMs, 1)))
  }

  closing.addEventListener('abort', () => {
    clearTimeout(timer)
    for (const waiting of [...queues.values()].flatMap((queue) => [...queue]))
      waiting.reject(closing.reason)
  })

  return {
    run: async (priority, work, signal) => {
      const startedAt = await enter(priority, signal)
      try {
        const result = await work()
        rate.reportAnswer(waitingCount() > 0)
        return result
      } catch (error) {
        if (error instanceof RateLimitedError) rate.reportRefusal(startedAt, error.retryAfterMs)
        throw error
      } finally {
        inFlight -= 1
        admitWaiting()
      }
    },
    isFull,
    state: () => ({
      inFlight,
      waiting: waitingCount(),
      requestsPerSecond: rate.perSecond(),
    }),
  }
}

/** The maximum number of requests per second, as configured or learnt from the endpoint's refusals. */
type RequestRate = Readonly<{
  /** Milliseconds until a request of this priority may start; 0 or less if it may start now. */
  waitMs: (priority: Priority) => number
  /** Counts a request that starts now. Returns the time, for `reportRefusal`. */
  start: () => number
  /** @param isScarce whether other requests wait. Only then the learnt rate is raised. */
  reportAnswer: (isScarce: boolean) => void
  /** The endpoint refused a request that started at `startedAt`, and asked to wait `retryAfterMs`. */
  reportRefusal: (startedAt: number, retryAfterMs: number | undefined) => void
  perSecond: () => number
}>

/** Longer than a second, because requests that are sent a second apart may arrive closer together. */
const windowMs = 1_050
/** The pause after a refusal without Retry-After. It doubles with each refusal until the next answer. */
const pauseBounds = { minMs: 1_000, maxMs: 30_000 }
/** A learnt rate is raised at most once in this interval, by this factor. */
const raiseEveryMs = 10_000
const raiseFactor = 1.1
const minPerSecond = 1

/** @param configured Infinity where no limit is known. */
function createRequestRate(configured: number): RequestRate {
  /** Times of recent starts and answers. Those before the last window are removed when needed. */
  let starts: number[] = []
  let answers: number[] = []
  let perSecond = configured
  let pausedUntil = 0
  let changedAt = -1
  let refusalsInARow = 0

  const now = () => performance.now()
  /** A rate below one per second needs a longer window. */
  const windowOf = () => (perSecond < 1 ? windowMs / perSecond : windowMs)
  const inWindow = (times: readonly number[]) => {
    const from = now() - windowOf()
    const first = times.findIndex((time) => time > from)
    return first < 0 ? [] : times.slice(first)
  }

  return {
    waitMs(priority) {
      const pauseMs = pausedUntil - now()
      if (perSecond === Number.POSITIVE_INFINITY) return pauseMs
      starts = inWindow(starts)
      const oldest = starts.at(-shareOf(priority, perSecond))
      return oldest === undefined ? pauseMs : Math.max(pauseMs, oldest + windowOf() - now())
    },
    start() {
      const startedAt = now()
      // Not trimmed on each start: without a limit the window may contain thousands of starts.
      if (starts.length > 2_000) starts = inWindow(starts)
      starts.push(startedAt)
      return startedAt
    },
    reportAnswer(isScarce) {
      refusalsInARow = 0
      if (answers.length > 2_000) answers = inWindow(answers)
      answers.push(now())
      if (!isScarce || perSecond >= configured || now() - changedAt < raiseEveryMs) return
      perSecond = Math.min(perSecond * raiseFactor, configured)
      changedAt = now()
    },
    reportRefusal(startedAt, retryAfterMs) {
      // Concurrent requests are refused together. They count as one refusal.
      const isNews = startedAt > changedAt
      if (isNews) refusalsInARow += 1
      const pauseMs = retryAfterMs ?? (isNews ? backoffMs(refusalsInARow, pauseBounds) : 0)
      pausedUntil = Math.max(pausedUntil, now() + pauseMs)
      if (!isNews) return
      starts = inWindow(starts)
      answers = inWindow(answers)
      // The answers in the window show the allowed rate. Half of the starts is a floor, as answers may be under way.
      const allowed = Math.max(0.9 * answers.length, 0.5 * starts.length)
      perSecond = Math.min(Math.max(allowed, minPerSecond), perSecond)
      changedAt = now()
    },
    perSecond: () => perSecond,
  }
}
