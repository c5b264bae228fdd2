import { AppError } from '#src/core/errors.ts'
import { type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { MarketHistory } from '#src/market/marketHistory.ts'

/**
 * The price of an order with a minimum output that nobody signs. The minimum is the median of the minimums on the
 * current market and on those of the last minutes. To lower it, an attacker has to move the pools in more than half of
 * these markets. A price without a swap depends on no pool and stays as it is.
 * @param current the price on `market`
 * @throws AppError SERVICE_UNAVAILABLE until there are enough markets; SWAP_IMPACT_TOO_HIGH if the output is below the
 * minimum
 */
export function withSteadyMinimum(
  history: MarketHistory,
  order: Order,
  market: Market,
  current: Price,
): Price {
  if (current.destination.route === undefined) return current
  const chain = marketOf(market, order.destination)
  const past = history.before(chain)
  if (past === undefined) throw new NoHistoryError(order)
  const { currencyOut } = current
  const minimum = median([
    currencyOut.minimumAmount,
    ...past.map((each) =>
      minimumOn(order, market, { ...each, solverBalances: chain.solverBalances }),
    ),
  ])
  if (minimum === 0n) throw new NoHistoryError(order)
  if (minimum > currencyOut.amount) throw new MovedPriceError(currencyOut.amount, minimum)
  return { ...current, currencyOut: { ...currencyOut, minimumAmount: minimum } }
}

/** 0 where the order has no price: it counts as the worst one. */
function minimumOn(order: Order, { chains, ...market }: Market, past: ChainMarket): Amount {
  try {
    const then = { ...market, chains: new Map(chains).set(past.chain.id, past) }
    return priceSwap(order, then).currencyOut.minimumAmount
  } catch (error) {
    if (error instanceof AppError) return toAmount(0n)
    throw error
  }
}

/** The middle value; of an even number the lower one in the middle. */
function median(amounts: readonly Amount[]): Amount {
  const sorted = amounts.toSorted((one, other) => Number(one > other) - Number(one < other))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? toAmount(0n)
}

class NoHistoryError extends AppError {
  constructor({ destination: { chainId, symbol } }: Order) {
    super(
      'SERVICE_UNAVAILABLE',
      `${symbol} on chain ${chainId} has not had a price for long enough yet.`,
      { chainId },
    )
  }
}

class MovedPriceError extends AppError {
  constructor(amount: Amount, minimum: Amount) {
    const percent = ((Number(amount) / Number(minimum) - 1) * 100).toFixed(2)
    super(
      'SWAP_IMPACT_TOO_HIGH',
      `The output is ${percent}% below the minimum of the last minutes.`,
      { swapImpact: { percent } },
    )
  }
}
