import { backoffMs } from '#src/chains/backoff.ts'
import { type Priority, shareOf } from './priority.ts'

/** How many requests may start in a second: as configured, and as the endpoint's refusals teach. */
export type RequestRate = Readonly<{
  /** Milliseconds until a request of this priority may start; 0 or less if at once. */
  waitMs: (priority: Priority) => number
  /** Counts a request that starts now. Returns the time, for `reportRefusal`. */
  start: () => number
  /** @param isScarce whether others wait: only then the rate is too low to be useful. */
  reportAnswer: (isScarce: boolean) => void
  /** The endpoint refused a request that started at `startedAt`, and asked to wait `retryAfterMs`. */
  reportRefusal: (startedAt: number, retryAfterMs: number | undefined) => void
  perSecond: () => number
}>

/** Longer than a second: requests that leave a second apart may arrive closer together. */
const windowMs = 1_050
/** How long nothing is sent after a refusal that names no time. Doubles while nothing is answered. */
const pauseBounds = { minMs: 1_000, maxMs: 30_000 }
/** A learnt rate is tried to exceed this often, by this factor. */
const raiseEveryMs = 10_000
const raiseFactor = 1.1
const minPerSecond = 1

/** @param configured Infinity where no limit is known. */
export function createRequestRate(configured: number): RequestRate {
  /** Times of the starts and answers in the last window. */
  let starts: number[] = []
  let answers: number[] = []
  let perSecond = configured
  let pausedUntil = 0
  let changedAt = -1
  let refusalsInARow = 0

  const now = () => performance.now()
  /** A rate below one a second has a longer window. */
  const windowOf = () => (perSecond < 1 ? windowMs / perSecond : windowMs)
  const lately = (times: readonly number[]) => {
    const from = now() - windowOf()
    const first = times.findIndex((time) => time > from)
    return first < 0 ? [] : times.slice(first)
  }

  return {
    waitMs(priority) {
      const pauseMs = pausedUntil - now()
      if (perSecond === Number.POSITIVE_INFINITY) return pauseMs
      starts = lately(starts)
      const oldest = starts.at(-shareOf(priority, perSecond))
      return oldest === undefined ? pauseMs : Math.max(pauseMs, oldest + windowOf() - now())
    },
    start() {
      const startedAt = now()
      // Not on each start: without a limit there may be thousands in the window.
      if (starts.length > 2_000) starts = lately(starts)
      starts.push(startedAt)
      return startedAt
    },
    reportAnswer(isScarce) {
      refusalsInARow = 0
      if (answers.length > 2_000) answers = lately(answers)
      answers.push(now())
      if (!isScarce || perSecond >= configured || now() - changedAt < raiseEveryMs) return
      perSecond = Math.min(perSecond * raiseFactor, configured)
      changedAt = now()
    },
    reportRefusal(startedAt, retryAfterMs) {
      // Requests that were under way together are refused together. They count as one refusal.
      const isNews = startedAt > changedAt
      if (isNews) refusalsInARow += 1
      const pauseMs = retryAfterMs ?? (isNews ? backoffMs(refusalsInARow, pauseBounds) : 0)
      pausedUntil = Math.max(pausedUntil, now() + pauseMs)
      if (!isNews) return
      starts = lately(starts)
      answers = lately(answers)
      // What was answered is what the endpoint allows, if that many have been answered already.
      const allowed = Math.max(0.9 * answers.length, 0.5 * starts.length)
      perSecond = Math.min(Math.max(allowed, minPerSecond), perSecond)
      changedAt = now()
    },
    perSecond: () => perSecond,
  }
}
