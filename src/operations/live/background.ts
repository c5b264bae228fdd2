/** Work that may wait a little. It gives way to the requests of clients. */
export type Background = Readonly<{
  /** Runs the steps that are due, one in a turn of the event loop. */
  wake: () => void
  /** Tells that a client's request is being answered in this turn. */
  giveWay: () => void
}>

type Work = Readonly<{
  /** Does the next piece of the work. Returns whether more is due. It must not throw. */
  step: () => boolean
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}>

/**
 * Share of the time that the work gets while requests keep the process busy: a fifth of what they took since the last
 * step. Without it nothing would be done under full load.
 */
const shareUnderLoad = 0.2

/** A turn with a request is left out once, so that the request's answer is sent first. */
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
    giveWay: () => {
      isBusy = true
    },
  }
}
