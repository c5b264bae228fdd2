import { AppError, type ErrorCode } from '#src/errors.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { assetOf } from './asset.ts'
import { type Crossing, cross } from './crossing.ts'
import { NoBridgeError } from './failures.ts'
import { transactionCost } from './gas.ts'
import type { Asset, ChainMarket, Market } from './market.ts'
import type { Order } from './order.ts'
import { createBridge } from './relay.ts'
import { depositTransaction } from './transactionSize.ts'

type Chains = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/**
 * The order over the asset that leaves the user best off: the most output, or for a given output the
 * least input, after what the deposit's gas is worth. Every asset that the solver takes on the origin
 * chain and holds on the destination chain is tried.
 * @throws AppError the most telling failure when none works.
 */
export function chooseBridge(order: Order, market: Market, chains: Chains): Crossing {
  const crossings: Crossing[] = []
  const failures: AppError[] = []
  for (const currencies of candidates(order, market, chains)) {
    try {
      crossings.push(cross(order, createBridge(market, order, chains, currencies)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    }
  }
  const [first, ...others] = crossings
  if (first === undefined) throw mostTelling(failures, order)
  return others.reduce((best, next) => (isBetter(order, chains, next, best) ? next : best), first)
}

/** The pair's own assets first, so that a tie needs the fewest swaps. */
function candidates(
  order: Order,
  market: Market,
  { origin, destination }: Chains,
): readonly Readonly<{ deposit: Currency; payout: Currency }>[] {
  const own = [assetOf(market, order.origin), assetOf(market, order.destination)]
  const rank = (asset: Asset) => (own.includes(asset) ? 0 : 1)
  return [...market.assets]
    .sort((one, other) => rank(one) - rank(other))
    .flatMap((asset) => {
      const deposit = asset.currencies.get(origin.chain.id)
      const payout = asset.currencies.get(destination.chain.id)
      if (deposit === undefined || payout === undefined) return []
      if (!destination.solverBalances.get(payout.address)) return []
      return [{ deposit, payout }]
    })
}

function isBetter(order: Order, chains: Chains, next: Crossing, best: Crossing): boolean {
  const net = ({ originLeg, destinationLeg }: Crossing): bigint => {
    const gas = transactionCost(chains.origin.gas, depositTransaction(originLeg, order.useReceiver))
    return order.tradeType === 'EXACT_INPUT'
      ? destinationLeg.amountOut - gasWorth(chains, order.destination, chains.destination, gas)
      : -originLeg.amountIn - gasWorth(chains, order.origin, chains.origin, gas)
  }
  return net(next) > net(best)
}

/** What origin gas is worth in a currency, to compare bridges; 0 where a price is missing. */
function gasWorth(chains: Chains, currency: Currency, market: ChainMarket, gas: Amount): bigint {
  const { native } = chains.origin.chain
  const nativePrice = chains.origin.usdPrices.get(native.address)
  const price = market.usdPrices.get(currency.address)
  if (nativePrice === undefined || price === undefined) return 0n
  const scale = 10n ** BigInt(currency.decimals)
  return (gas * nativePrice * scale) / (price * 10n ** BigInt(native.decimals))
}

/** What a user can act on comes before what only the operator can mend. */
const telling: readonly ErrorCode[] = [
  'AMOUNT_TOO_LOW',
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
]

function mostTelling(failures: readonly AppError[], order: Order): AppError {
  const rank = ({ code }: AppError) => {
    const place = telling.indexOf(code)
    return place < 0 ? telling.length : place
  }
  const [best] = [...failures].sort((one, other) => rank(one) - rank(other))
  return best ?? new NoBridgeError(order.origin, order.destination)
}
