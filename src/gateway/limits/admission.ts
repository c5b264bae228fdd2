export type AdmissionLimits = Readonly<{
  /**
   * Milliseconds that requests may wait to begin and orders to be priced, and milliseconds of work in one turn of the
   * event loop. A turn answers the requests that arrived during the one before. Beyond any, requests are refused, except
   * the first 32. 0: no such limit.
   */
  maxQueueMs: number
  /** Maximum number of HTTP requests in progress. Most of them wait for the database or a node. */
  maxInFlight: number
}>

/**
 * Turns that are too long are overload only after this time: one costly request, or the work of one block, is no
 * overload. A pause of this time between two turns ends it.
 */
const patienceMs = 200

/** A browser or two ask for less at once, so no queue is that short: these requests are never refused. */
const alwaysAdmitted = 32

/** After a refusal, turns that are too long count as overload at once for this time: refused clients retry together. */
const alertMs = 3_000

type Deps = Readonly<{
  /** Milliseconds. */
  now: () => number
  /** Calls back once the requests that have arrived by now are processed. */
  atEndOfTurn: (callback: () => void) => void
}>

/** Refuses requests early under overload, so that the others are answered in time. */
export type Admission = Readonly<{
  /**
   * Whether a request that arrives now may be answered.
   * @param waitMs see `Service.waitMs`
   */
  admits: (waitMs: () => number) => boolean
  /** Counts a request as being answered until the returned function is called. */
  enter: () => () => void
}>

export function createAdmission(
  { now, atEndOfTurn }: Deps,
  { maxQueueMs, maxInFlight }: AdmissionLimits,
): Admission {
  let inFlight = 0
  let turnStartedAt: number | undefined
  let turnEndedAt = 0
  /** Messages on WebSockets are not in flight, but they are work of their turn. */
  let admittedInTurn = 0
  /** The start of the first of consecutive turns that were too long. */
  let tooLongSince: number | undefined
  let alertUntil = 0

  /** Starts a turn with its first request. Returns the milliseconds since its start. */
  const workedMs = (at: number): number => {
    if (turnStartedAt !== undefined) return at - turnStartedAt
    turnStartedAt = at
    if (at - turnEndedAt > patienceMs) tooLongSince = undefined
    atEndOfTurn(() => {
      turnEndedAt = now()
      if (turnEndedAt - at <= maxQueueMs) tooLongSince = undefined
      else tooLongSince ??= at
      turnStartedAt = undefined
      admittedInTurn = 0
    })
    return 0
  }

  const isOverloaded = (waitMs: () => number): boolean => {
    const at = now()
    const worked = workedMs(at)
    if (Math.max(inFlight, admittedInTurn) < alwaysAdmitted) return false
    if (waitMs() > maxQueueMs) return true
    if (worked <= maxQueueMs) return false
    const isLasting = tooLongSince !== undefined && at - tooLongSince > patienceMs
    if (!isLasting && at >= alertUntil) return false
    alertUntil = at + alertMs
    return true
  }

  return {
    admits: (waitMs) => {
      if (inFlight >= maxInFlight) return false
      if (maxQueueMs > 0 && isOverloaded(waitMs)) return false
      admittedInTurn += 1
      return true
    },
    enter: () => {
      inFlight += 1
      return () => {
        inFlight -= 1
      }
    },
  }
}
