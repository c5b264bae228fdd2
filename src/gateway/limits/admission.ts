import { AppError } from '#src/errors.ts'

/** The gateway has more work than it can do in time. Nothing of the request was done. */
export class OverloadedError extends AppError {
  constructor() {
    super('OVERLOADED', 'The gateway is overloaded. Try again in 1 s.', { retryAfterSeconds: 1 })
  }
}

export type AdmissionLimits = Readonly<{
  /**
   * Milliseconds of work that may queue in one turn of the event loop, which answers all requests that have arrived during the
   * last one. While the turns are longer, what arrives after so much work is refused. 0 refuses nothing for it.
   */
  maxQueueMs: number
  /** HTTP requests that are being answered, most of which wait for the database or a node. */
  maxInFlight: number
}>

/** Turns must be too long for so long: one costly request, or the work of one block, is no overload. */
const patienceMs = 200

/** After a refusal there is no patience for so long: clients that wait as told come again together. */
const alertMs = 3_000

type Deps = Readonly<{
  /** Milliseconds. */
  now: () => number
  /** Calls back when the requests that have arrived by now are worked off. */
  atEndOfTurn: (callback: () => void) => void
}>

/** Decides early which requests are refused, so that the others are answered in time. */
export type Admission = Readonly<{
  /** Whether a request that arrives now may be answered. */
  admits: () => boolean
  /** Counts a request as being answered until the returned function is called. */
  enter: () => () => void
}>

export function createAdmission(
  { now, atEndOfTurn }: Deps,
  { maxQueueMs, maxInFlight }: AdmissionLimits,
): Admission {
  let inFlight = 0
  let turnStartedAt: number | undefined
  /** The start of the first of consecutive turns that were too long. */
  let tooLongSince: number | undefined
  let alertUntil = 0

  /** Starts a turn with its first request. Returns for how long it has been working. */
  const workedMs = (at: number): number => {
    if (turnStartedAt !== undefined) return at - turnStartedAt
    turnStartedAt = at
    atEndOfTurn(() => {
      if (now() - at <= maxQueueMs) tooLongSince = undefined
      else tooLongSince ??= at
      turnStartedAt = undefined
    })
    return 0
  }

  return {
    admits: () => {
      if (inFlight >= maxInFlight) return false
      if (maxQueueMs === 0) return true
      const at = now()
      const worked = workedMs(at)
      const isOverloaded =
        at < alertUntil || (tooLongSince !== undefined && at - tooLongSince > patienceMs)
      if (!isOverloaded || worked <= maxQueueMs) return true
      alertUntil = at + alertMs
      return false
    },
    enter: () => {
      inFlight += 1
      return () => {
        inFlight -= 1
      }
    },
  }
}
