import { AppError } from '#src/core/errors.ts'

/** Limits the time of a promise. */
type WithDeadline = <Result>(work: Promise<Result>) => Promise<Result>

/** A promise in progress, and its deadline in milliseconds of `performance.now()`. */
type Wait = Readonly<{ until: number; reject: (error: AppError) => void }>

/**
 * Rejects with AppError REQUEST_TIMED_OUT if a promise takes longer than `seconds`. The work is not cancelled; its
 * result is dropped. All promises share one timer for the oldest deadline, because most end long before theirs.
 */
export function createDeadline(seconds: number): WithDeadline {
  /** In the order of their deadlines, because a set keeps the order of insertion. */
  const waits = new Set<Wait>()
  let isScheduled = false

  const schedule = (milliseconds: number): void => {
    isScheduled = true
    setTimeout(rejectLate, milliseconds).unref()
  }
  const rejectLate = (): void => {
    isScheduled = false
    const now = performance.now()
    for (const wait of waits) {
      if (wait.until > now) {
        schedule(Math.ceil(wait.until - now))
        break
      }
      waits.delete(wait)
      const message = `The request took longer than ${seconds} seconds`
      wait.reject(new AppError('REQUEST_TIMED_OUT', message))
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const wait: Wait = { until: performance.now() + seconds * 1000, reject }
      waits.add(wait)
      if (!isScheduled) schedule(seconds * 1000)
      work.then(
        (result) => {
          waits.delete(wait)
          resolve(result)
        },
        (error: unknown) => {
          waits.delete(wait)
          reject(error)
        },
      )
    })
}
