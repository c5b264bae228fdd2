/** Something to wait for that others may cut short. */
export type Alarm = Readonly<{
  /** Ends the wait, or the next one if nobody waits. */
  ring: () => void
  /** Resolves after `ms`, or up to one less, with `false`; or at once with `true` when it rings. */
  wait: (ms: number) => Promise<boolean>
}>

export function createAlarm(): Alarm {
  let hasRung = false
  let wake: (() => void) | undefined

  return {
    ring: () => {
      hasRung = true
      wake?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, ms)
        wake = end
        function end() {
          clearTimeout(timer)
          wake = undefined
          resolve(hasRung)
          hasRung = false
        }
        if (hasRung) end()
      }),
  }
}
