/** Work that may wait a little. It gives way to the requests of clients. */
export type Background = Readonly<{
  /** Runs the steps that are due, one in a turn of the event loop. */
  wake: () => void
  /** Called when a client's request is answered in this turn. */
  yieldTo: () => void
}>

type Work = Readonly<{
  /** Does the next piece of the work. Returns whether more is due. It must not throw. */
  step: () => boolean
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}>

/**
 * While requests keep the process busy, the work gets a fifth of the time that they have taken since its last step.
 * Without this share, full load would stop the work.
 */
const shareUnderLoad = 0.2

/** After a request the work skips one turn, so that the answer is sent first. */
export function createBackground({ step, now = () => performance.now() }: Work): Background {
  let isScheduled = false
  let isBusy = false
  let hasGivenWay = false
  let endedAt = 0

  const turn = (): void => {
    if (isBusy && !hasGivenWay) {
      isBusy = false
      hasGivenWay = true
      setImmediate(turn)
      return
    }
    const startedAt = now()
    const limit = startedAt + (hasGivenWay ? (startedAt - endedAt) * shareUnderLoad : 0)
    isBusy = false
    hasGivenWay = false
    let isMoreDue = step()
    while (isMoreDue && now() < limit) isMoreDue = step()
    endedAt = now()
    isScheduled = isMoreDue
    if (isMoreDue) setImmediate(turn)
  }

  return {
    wake: () => {
      if (isScheduled) return
      isScheduled = true
      endedAt = now()
      setImmediate(turn)
    },
    yieldTo: () => {
      isBusy = true
    },
  }
}
