/**
 * Runs `work` with a signal that fires after `seconds` or with any of `signals`. Ends when the signal fires,
 * even if `work` ignores it. Leaves no timer or listener behind.
 * @throws DeadlineError after `seconds`; the reason of the signal that fired; what `work` throws.
 */
export function withDeadline<T>(
  seconds: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const end = (reason: unknown) => {
      forget()
      reject(reason)
      stop.abort(reason)
    }
    const timer = setTimeout(() => end(new DeadlineError(seconds)), seconds * 1000)
    const given = signals.filter((signal) => signal !== undefined)
    const forward = () => end(given.find((signal) => signal.aborted)?.reason)
    const forget = () => {
      clearTimeout(timer)
      for (const signal of given) signal.removeEventListener('abort', forward)
    }
    for (const signal of given) signal.addEventListener('abort', forward, { once: true })
    const finish =
      <Value>(to: (value: Value) => void) =>
      (value: Value) => {
        forget()
        to(value)
      }
    if (given.some((signal) => signal.aborted)) forward()
    const run = async () => work(stop.signal)
    run().then(finish(resolve), finish(reject))
  })
}

export class DeadlineError extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} s`)
    this.name = 'DeadlineError'
  }
}
