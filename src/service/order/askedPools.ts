import { AppError, type ErrorCode } from '#src/core/errors.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Markets } from '#src/market/markets.ts'

type Key = Pick<Currency, 'chainId' | 'address'>

/** Asks the market to follow the pools of a currency: see `Markets.ask`. */
export type AskPools = Markets['ask']

/** Errors that may be due to pools that the market does not follow yet. */
const mayLackPools: ReadonlySet<ErrorCode> = new Set(['NO_SWAP_ROUTES_FOUND', 'PRICE_FETCH_FAILED'])

/**
 * Prices an order, at once or later, and asks for the pools of its currencies.
 * @throws AppError as `price`; NO_SWAP_ROUTES_FOUND with `retryAfterSeconds` if the missing pools are about to be read.
 */
export function priceAsked<Priced>(
  askPools: AskPools,
  currencies: readonly Key[],
  price: () => Priced,
): Priced {
  const awaited = awaitedOf(askPools, currencies)
  const explain = (error: unknown): never => {
    if (awaited !== undefined && error instanceof AppError && mayLackPools.has(error.code))
      throw awaited
    throw error
  }
  try {
    const priced = price()
    return priced instanceof Promise ? (priced.catch(explain) as Priced) : priced
  } catch (error) {
    return explain(error)
  }
}

/**
 * Refuses unknown currencies whose pools are about to be read. That read also loads the currency, so nodes need not be
 * asked.
 * @throws AppError NO_SWAP_ROUTES_FOUND with `retryAfterSeconds`
 */
export function refuseAwaited(askPools: AskPools, unknown: readonly Key[]): void {
  const awaited = awaitedOf(askPools, unknown)
  if (awaited !== undefined) throw awaited
}

function awaitedOf(askPools: AskPools, currencies: readonly Key[]): PoolsAwaitedError | undefined {
  const waits = currencies.flatMap((key) => {
    const seconds = askPools(key)
    return seconds === undefined ? [] : [{ key, seconds }]
  })
  return waits.length === 0
    ? undefined
    : new PoolsAwaitedError(
        waits.map(({ key }) => key),
        Math.max(...waits.map(({ seconds }) => seconds)),
      )
}

/** The gateway does not follow the pools of a currency yet, and has begun to read them. */
class PoolsAwaitedError extends AppError {
  constructor(currencies: readonly Key[], retryAfterSeconds: number) {
    const names = currencies.map(({ chainId, address }) => `${address} on chain ${chainId}`)
    super(
      'NO_SWAP_ROUTES_FOUND',
      // The message has no seconds: live prices send a failure again if its message changes.
      `The pools of ${names.join(' and of ')} are being read for the first time. Ask again in a moment.`,
      {
        currencies: currencies.map(({ chainId, address }) => ({ chainId, address })),
        retryAfterSeconds,
      },
    )
  }
}
