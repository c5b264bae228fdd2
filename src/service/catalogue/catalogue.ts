import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Markets } from '#src/market/markets.ts'
import type { RequestLists } from '#src/requests/requestList.ts'

/** By the number of requests, or by the value of their outputs in US dollars. */
export type TrendOrder = 'count' | 'usd'

/** A transfer of one asset between two chains. */
export type BridgeQuestion = Readonly<{
  originChainId: ChainId
  destinationChainId: ChainId
  /** Account whose balance is read. */
  user?: Account
  /** Symbol of the asset in any case. Absent: the asset of the destination's native currency. */
  currencyId?: string
}>

/** The cost of such a transfer, and the amount that the solver can pay out. Amounts are in the smallest unit. */
export type BridgeAnswer = Readonly<{
  /** Whether it can be quoted: both chains are enabled and have contracts, and the solver bridges the asset. */
  isEnabled: boolean
  /** Relayer fee, in the currency on the origin chain; absent while no transfer can be priced. */
  fee: Amount | undefined
  /** In the currency on the origin chain; present if the question names a user. */
  user: Readonly<{ balance: Amount; maxBridgeAmount: Amount }> | undefined
  /** In the currency on the destination chain. */
  solver: Readonly<{ address: Account; balance: Amount; capacityPerRequest: Amount }>
  /** Whether a quote may exceed the solver's balance if its user allows the fill to wait. */
  supportsExternalLiquidity: boolean
}>

/** The capabilities of chains, currencies and the solver. */
export type CatalogueService = Readonly<{
  /**
   * The currencies of one day's successful requests, most bought first.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  trendingCurrencies: (order: TrendOrder) => Promise<readonly Currency[]>
  /** The currency itself, and those of the same asset on other chains. */
  assetCurrencies: (currency: Currency) => readonly Currency[]
  /** Whether prices on the chain are computed from a current block. @throws AppError UNSUPPORTED_CHAIN */
  isHealthy: (chainId: number) => boolean
}>

type TrendDeps = Readonly<{
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
