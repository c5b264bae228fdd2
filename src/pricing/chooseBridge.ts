import { AppError, type ErrorCode } from '#src/errors.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { assetOf } from './asset.ts'
import { bestRate } from './bestRate.ts'
import { type Crossing, cross } from './crossing.ts'
import { NoBridgeError } from './failures.ts'
import { transactionCost } from './gas.ts'
import { erc20Of } from './leg.ts'
import type { ChainMarket, Market } from './market.ts'
import type { Order } from './order.ts'
import { createBridge } from './relay.ts'
import { depositTransaction } from './transactionSize.ts'

type Chains = Readonly<{ origin: ChainMarket; destination: ChainMarket }>
type Candidate = Readonly<{ deposit: Currency; payout: Currency }>

/**
 * The order over the asset that leaves the user best off: the most output, or for a given output the
 * least input, after what the deposit's gas is worth. Every asset that the solver takes on the origin
 * chain and holds on the destination chain is tried, but for those that could not win if their swaps
 * moved no pool and cost nothing.
 * @throws AppError the most telling failure when none works.
 */
export function chooseBridge(order: Order, market: Market, chains: Chains): Crossing {
  let best: Readonly<{ crossing: Crossing; net: bigint }> | undefined
  const failures: AppError[] = []
  for (const { bound, ...currencies } of candidates(order, market, chains)) {
    if (best !== undefined && bound <= Number(best.net)) break
    try {
      const crossing = cross(order, createBridge(market, order, chains, currencies))
      const net = netResult(order, chains, crossing)
      if (best === undefined || net > best.net) best = { crossing, net }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    }
  }
  if (best === undefined) throw mostTelling(failures, order)
  return best.crossing
}

/** In the order of what they could give at best; the pair's own assets first among equals. */
function candidates(
  order: Order,
  market: Market,
  chains: Chains,
): readonly (Candidate & Readonly<{ bound: number }>)[] {
  const own = [assetOf(market, order.origin), assetOf(market, order.destination)]
  return market.assets
    .flatMap((asset) => {
      const deposit = asset.currencies.get(chains.origin.chain.id)
      const payout = asset.currencies.get(chains.destination.chain.id)
      if (deposit === undefined || payout === undefined) return []
      if (!chains.destination.solverBalances.get(payout.address)) return []
      const bound = boundOf(order, chains, { deposit, payout })
      return [{ deposit, payout, bound, isOwn: own.includes(asset) }]
    })
    .sort((one, other) => other.bound - one.bound || Number(other.isOwn) - Number(one.isOwn))
}

/** For what float arithmetic rounds off on the way. */
const margin = 1e-9

/** A net result that no crossing by way of the candidate exceeds. */
function boundOf(order: Order, chains: Chains, { deposit, payout }: Candidate): number {
  const { origin, destination } = chains
  const rate =
    bestRate(origin.graph, erc20Of(origin, order.origin), erc20Of(origin, deposit)) *
    10 ** (payout.decimals - deposit.decimals) *
    bestRate(
      destination.graph,
      erc20Of(destination, payout),
      erc20Of(destination, order.destination),
    )
  const kept = 1 - Number(order.appFees.reduce((sum, { fee }) => sum + fee, 0n)) / 10_000
  const amount = Number(order.amount)
  return order.tradeType === 'EXACT_INPUT'
    ? amount * kept * rate * (1 + margin)
    : (-amount / (kept * rate)) * (1 - margin)
}

/** What the user ends up with, or negative, what it takes, in the currency that is not given. */
function netResult(order: Order, chains: Chains, { originLeg, destinationLeg }: Crossing): bigint {
  const gas = transactionCost(chains.origin.gas, depositTransaction(originLeg, order.useReceiver))
  return order.tradeType === 'EXACT_INPUT'
    ? destinationLeg.amountOut - gasWorth(chains, order.destination, chains.destination, gas)
    : -originLeg.amountIn - gasWorth(chains, order.origin, chains.origin, gas)
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

/** The first in that order; of several alike, the one that asks the least of the user. */
function mostTelling(failures: readonly AppError[], order: Order): AppError {
  const rank = ({ code }: AppError) => {
    const place = telling.indexOf(code)
    return place < 0 ? telling.length : place
  }
  const [best] = [...failures].sort(
    (one, other) => rank(one) - rank(other) || compare(demandOf(one), demandOf(other)),
  )
  return best ?? new NoBridgeError(order.origin, order.destination)
}

/**
 * How far the user would have to go, to compare failures of one code; who does not say comes last. The
 * amounts are in the currency of the order's amount, but for those of some legs without a route, of
 * which one is as telling as another.
 */
function demandOf({ data }: AppError): bigint {
  const { leastAmount, largestAmount } = data ?? {}
  if (typeof leastAmount === 'string') return BigInt(leastAmount)
  if (typeof largestAmount === 'string') return -BigInt(largestAmount)
  return 2n ** 256n
}

const compare = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)
