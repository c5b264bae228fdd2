import { backoffMs } from '#src/chains/backoff.ts'
import { type Priority, shareOf } from './priority.ts'

/** The maximum number of requests per second, as configured or learnt from the endpoint's refusals. */
export type RequestRate = Readonly<{
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
export function createRequestRate(configured: number): RequestRate {
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
