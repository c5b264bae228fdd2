/**
 * Runs `work` with a signal that fires after `seconds` or with any of `signals`. Ends when the signal fires,
 * even if `work` ignores it. Leaves no timer or listener behind.
 * @throws DeadlineError after `seconds`; the reason of the signal that fired; what `work` throws.
 */
export async function withDeadline<T>(
  seconds: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new DeadlineError(seconds)), seconds * 1000)
  const given = signals.filter((signal) => signal !== undefined)
  const forward = () => stop.abort(given.find((signal) => signal.aborted)?.reason)
  for (const signal of given) signal.addEventListener('abort', forward, { once: true })
  if (given.some((signal) => signal.aborted)) forward()
  try {
    return await Promise.race([work(stop.signal), ending(stop.signal)])
  } finally {
    clearTimeout(timer)
    for (const signal of given) signal.removeEventListener('abort', forward)
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
