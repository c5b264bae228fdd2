import { LRUCache } from 'lru-cache'
import { AppError } from '#src/errors.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'

/** A caller has too many quotes that wait for their deposit or swap. */
class TooManyOpenQuotesError extends AppError {
  constructor(maxOpenQuotes: number) {
    super(
      'TOO_MANY_OPEN_QUOTES',
      `You have ${maxOpenQuotes} open quotes. Execute some, or wait until they expire. An API key has a limit of its own.`,
      { maxOpenQuotes },
    )
  }
}

/** Counts the open quotes of each caller, or some of them. A quote is open until its deposit or swap arrives, or its deadline passes. */
export type OpenQuotes = Readonly<{
  /**
   * Takes the place of one more open quote.
   * @throws AppError TOO_MANY_OPEN_QUOTES or what else `refuse` makes, or SERVICE_UNAVAILABLE where the store does not
   * answer
   */
  admit: (caller: string, maxOpenQuotes: number) => Promise<void>
}>

type Counted = {
  /** Open quotes at the last count, at most the limit. */
  counted: number
  /** Quotes of this process since then. */
  admitted: number
  /** Time of the last count in milliseconds. */
  at: number
}

/** Counts again: other processes quote too, and quotes are executed or expire. */
const maxAgeMs = 60_000
/** A caller at its limit costs one count a second. */
const minAgeMs = 1_000
/** Callers beyond this number are counted again. */
const maxCallers = 10_000

/** The store counts by an index, and rarely: in between this process counts by itself. */
export function createOpenQuotes({
  count,
  now,
  refuse = (limit) => new TooManyOpenQuotesError(limit),
}: Readonly<{
  count: RequestStore['countOpenQuotes']
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

  /** Counts when half of what was left is used, so that several processes together stay near the limit. */
  function isStale({ counted, admitted, at }: Counted, limit: number): boolean {
    const ageMs = now() - at
    return ageMs >= maxAgeMs || (ageMs >= minAgeMs && 2 * admitted >= limit - counted)
  }

  return {
    async admit(caller, limit) {
      const last = known.get(caller)
      const current =
        last === undefined || isStale(last, limit) ? await countOnce(caller, limit) : last
      if (current.counted + current.admitted >= limit) throw refuse(limit)
      current.admitted += 1
    },
  }
}
