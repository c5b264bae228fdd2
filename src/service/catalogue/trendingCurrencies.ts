import type { Currency } from '#src/core/units/currency.ts'
import type { Markets } from '#src/market/markets.ts'
import type { RequestLists } from '#src/requests/requestList.ts'
import type { TrendOrder } from './catalogueOperations.ts'

export type TrendDeps = Readonly<{
  requests: RequestLists
  known: Markets['currencies']['known']
  /** Milliseconds since 1970. */
  now: () => number
}>

const dayMs = 24 * 3_600_000

/** The query groups a whole day of requests. Once a minute is often enough. */
const maxAgeMs = 60_000

/** Maximum number of currencies in an answer. */
const maxCurrencies = 100

/** The currencies that were bought most in the last 24 hours. All callers of a minute share one query. */
export function createTrendingCurrencies({ requests, known, now }: TrendDeps) {
  const answers = new Map<TrendOrder, Readonly<{ at: number; keys: Bought }>>()

  const read = (order: TrendOrder): Bought => {
    const last = answers.get(order)
    if (last !== undefined && now() - last.at < maxAgeMs) return last.keys
    const keys = requests.boughtSince(now() - dayMs, order, maxCurrencies)
    answers.set(order, { at: now(), keys })
    keys.catch(() => answers.delete(order))
    return keys
  }

  return async (order: TrendOrder): Promise<readonly Currency[]> =>
    // A chain or a currency may have left the configuration since.
    (await read(order)).flatMap((key) => known(key) ?? [])
}

type Bought = ReturnType<RequestLists['boughtSince']>
