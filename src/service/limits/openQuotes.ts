import { LRUCache } from 'lru-cache'
import { AppError } from '#src/core/errors.ts'
import type { QuoteStore } from '#src/requests/requestStore.ts'

/** The caller has too many quotes that wait for their deposit or swap. */
class TooManyOpenQuotesError extends AppError {
  constructor(maxOpenQuotes: number) {
    super(
      'TOO_MANY_OPEN_QUOTES',
      `You have ${maxOpenQuotes} open quotes. Execute some, or wait until they expire. An API key has its own limit.`,
      { maxOpenQuotes },
    )
  }
}

/** Limits the open quotes of each caller. A quote is open until its deposit or swap arrives, or its deadline passes. */
export type QuoteAdmission = Readonly<{
  /**
   * Counts one more open quote.
   * @throws AppError of `refuse`, by default TOO_MANY_OPEN_QUOTES; SERVICE_UNAVAILABLE if the store does not answer
   */
  admit: (caller: string, maxOpenQuotes: number) => Promise<void>
}>

export type OpenQuotes = QuoteAdmission &
  Readonly<{
    /** The number of the caller's open quotes, at most about `maxOpenQuotes`. @throws AppError SERVICE_UNAVAILABLE */
    used: (caller: string, maxOpenQuotes: number) => Promise<number>
    /** Counts the caller's quotes again at the next call. */
    forget: (caller: string) => void
  }>

type Counted = {
  /** Open quotes at the last count, at most the limit. */
  counted: number
  /** Quotes that this process has admitted since then. */
  admitted: number
  /** Time of the last count in milliseconds. */
  at: number
}

/** A count expires after this time: other processes quote too, and quotes are executed or expire. */
const maxAgeMs = 60_000
/** A caller at its limit costs at most one count per second. */
const minAgeMs = 1_000
/** The counts of this number of callers are cached. */
const maxCallers = 10_000

/** The store counts rarely. In between this process adds the quotes that it admits. */
export function createOpenQuotes({
  count,
  now,
  refuse = (limit) => new TooManyOpenQuotesError(limit),
}: Readonly<{
  count: QuoteStore['countOpenQuotes']
  now: () => number
  refuse?: (limit: number) => AppError
}>): OpenQuotes {
  const known = new LRUCache<string, Counted>({ max: maxCallers })
  const counting = new Map<string, Promise<Counted>>()

  async function countAgain(caller: string, limit: number): Promise<Counted> {
    const at = now()
    const counted = await count(caller, { now: Math.floor(at / 1000), limit })
    const fresh = { counted, admitted: 0, at }
    known.set(caller, fresh)
    return fresh
  }

  function countOnce(caller: string, limit: number): Promise<Counted> {
    const running = counting.get(caller)
    if (running !== undefined) return running
    const started = countAgain(caller, limit).finally(() => counting.delete(caller))
    counting.set(caller, started)
    return started
  }

  /** Whether to count again: after half of the rest is used, so that several processes together stay near the limit. */
  function isStale({ counted, admitted, at }: Counted, limit: number): boolean {
    const ageMs = now() - at
    return ageMs >= maxAgeMs || (ageMs >= minAgeMs && 2 * admitted >= limit - counted)
  }

  async function currentOf(caller: string, limit: number): Promise<Counted> {
    const last = known.get(caller)
    return last === undefined || isStale(last, limit) ? countOnce(caller, limit) : last
  }

  return {
    async used(caller, limit) {
      const { counted, admitted } = await currentOf(caller, limit)
      return counted + admitted
    },
    forget: (caller) => void known.delete(caller),
    async admit(caller, limit) {
      const current = await currentOf(caller, limit)
      if (current.counted + current.admitted >= limit) throw refuse(limit)
      current.admitted += 1
    },
  }
}
