/**
 * Runs `work` with a signal that fires after `seconds` or with any of `signals`, and ends with it
 * even if `work` does not heed it. Leaves no timer and no listener behind.
 * @throws DeadlineError when the time is over; the reason of the signal that fired; what `work` throws.
 */
export async function withDeadline<T>(
  seconds: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new DeadlineError(seconds)), seconds * 1000)
  const watched = signals.filter((signal) => signal !== undefined)
  const passOn = () => stop.abort(watched.find((signal) => signal.aborted)?.reason)
  for (const signal of watched) signal.addEventListener('abort', passOn, { once: true })
  if (watched.some((signal) => signal.aborted)) passOn()
  try {
    return await Promise.race([work(stop.signal), ending(stop.signal)])
  } finally {
    clearTimeout(timer)
    for (const signal of watched) signal.removeEventListener('abort', passOn)
  }
}

export class DeadlineError extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} s`)
    this.name = 'DeadlineError'
  }
}

const ending = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
