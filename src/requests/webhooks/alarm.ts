/** Wakes a loop: what rings while it is at work wakes it as soon as it is done. */
export function createAlarm(
  { now }: Readonly<{ now: () => number }>,
  { sweepMs, signal }: Readonly<{ sweepMs: number; signal: AbortSignal }>,
) {
  const timers = new Set<NodeJS.Timeout>()
  let isRinging = false
  let wake = () => {}

  const ring = (): void => {
    isRinging = true
    wake()
  }
  /** Rings at `time` (ms). */
  const ringAt = (time: number): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      ring()
    }, time - now())
    timers.add(timer)
    return timer
  }
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    ring()
  }
  signal.addEventListener('abort', end, { once: true })

  return {
    ring,
    ringAt,
    /** Once it has rung since, or `sweepMs` have passed. */
    rung: async (): Promise<void> => {
      if (!isRinging) {
        const sweep = ringAt(now() + sweepMs)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        clearTimeout(sweep)
        timers.delete(sweep)
      }
      isRinging = false
    },
  }
}
