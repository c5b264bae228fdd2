import { AppError } from '#src/errors.ts'

/** Runs work that has to end in time. */
export type WithDeadline = <Result>(work: Promise<Result>) => Promise<Result>

/** Work in progress. */
type Wait = Readonly<{ until: number; reject: (error: AppError) => void }>

/**
 * Gives all work the same time. Its result is passed on if it arrives within `seconds`; else AppError
 * REQUEST_TIMED_OUT. The work is not cancelled: its result is dropped.
 *
 * All of it shares one timer, which waits for the oldest: most work is done long before, and needs none of its own.
 */
export function createDeadline(seconds: number): WithDeadline {
  /** A set keeps the order, which is that of their ends. */
  const waits = new Set<Wait>()
  let isWatched = false

  const watch = (milliseconds: number): void => {
    isWatched = true
    setTimeout(look, milliseconds).unref()
  }
  const look = (): void => {
    isWatched = false
    const now = performance.now()
    for (const wait of waits) {
      if (wait.until > now) {
        watch(Math.ceil(wait.until - now))
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
      if (!isWatched) watch(seconds * 1000)
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
