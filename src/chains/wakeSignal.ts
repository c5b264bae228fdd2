/** A timer that a wake-up cuts short. */
export type WakeSignal = Readonly<{
  /** Ends the current wait, or the next one if none is under way. */
  wake: () => void
  /** Resolves with `false` after `ms` milliseconds, or at once with `true` when woken. */
  wait: (ms: number) => Promise<boolean>
}>

export function createWakeSignal(): WakeSignal {
  let isAwake = false
  let endWait: (() => void) | undefined

  return {
    wake: () => {
      isAwake = true
      endWait?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, ms)
        endWait = end
        function end() {
          clearTimeout(timer)
          endWait = undefined
          resolve(isAwake)
          isAwake = false
        }
        if (isAwake) end()
      }),
  }
}
