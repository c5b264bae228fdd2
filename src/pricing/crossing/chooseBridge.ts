import type { AppError } from '#src/errors.ts'
import { assetOf } from '#src/pricing/asset.ts'
import { NoBridgeError, OptionsBridgeError } from '#src/pricing/failures.ts'
import { appBps, type Bridge, createBridge, fillCost } from '#src/pricing/fees/relayFees.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import {
  depositTransaction,
  type LegShape,
  leastShape,
  shapeOf,
} from '#src/pricing/gas/transactionSize.ts'
import { erc20Of, isOneErc20 } from '#src/pricing/leg/leg.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { routeBound } from '#src/pricing/router/routeBound.ts'
import type { Currency } from '#src/units/currency.ts'
import { attempt, bestCrossing, mostTelling } from './bestBridge.ts'
import { type Crossing, cross } from './crossing.ts'

type Chains = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/**
 * The order over the asset that leaves the user best off: the most output, or for a given output the
 * least input, after what the deposit's gas is worth. Every asset that is on both chains is
 * tried, but for those that could not win if their swaps moved no pool and took a single hop.
 * @throws AppError the most telling failure when none works.
 */
export function chooseBridge(order: Order, market: Market, chains: Chains): Crossing {
  const { bridges, failures } = bridgesOf(order, market, chains)
  const best = bestCrossing(bridges, {
    cross: (bridge) => cross(order, bridge),
    netOf: (crossing) => netResult(order, crossing),
    failures,
  })
  if (best === undefined) throw mostTelling(failures) ?? noBridge(order, market, chains)
  return best
}

/** In the order of what they could give at best; the pair's own assets first among equals. */
function bridgesOf(order: Order, market: Market, chains: Chains) {
  const own = [assetOf(market, order.origin), assetOf(market, order.destination)]
  const failures: AppError[] = []
  const bridges = market.assets.flatMap((asset) => {
    const deposit = asset.currencies.get(chains.origin.chain.id)
    const payout = asset.currencies.get(chains.destination.chain.id)
    if (deposit === undefined || payout === undefined) return []
    if (!isAllowed(order, chains, deposit, payout)) return []
    const found = attempt(() => {
      const bridge = createBridge(market, order, chains, { deposit, payout })
      return { bridge, bound: boundOf(order, bridge), isOwn: own.includes(asset) }
    }, failures)
    return found ?? []
  })
  bridges.sort((one, other) => other.bound - one.bound || Number(other.isOwn) - Number(one.isOwn))
  return { bridges, failures }
}

/** On one chain only one of the legs may swap: so no pool is traded in twice, unseen by the other leg. */
function isAllowed(order: Order, chains: Chains, deposit: Currency, payout: Currency): boolean {
  const { origin, destination } = chains
  const keepsOrigin = isOneErc20(origin, order.origin, deposit)
  if (order.disableOriginSwaps && !keepsOrigin) return false
  return origin !== destination || keepsOrigin || isOneErc20(destination, payout, order.destination)
}

function noBridge(order: Order, market: Market, { origin, destination }: Chains): AppError {
  const deposits = market.assets.flatMap(({ currencies }) => {
    const deposit = currencies.get(origin.chain.id)
    return deposit === undefined || !currencies.has(destination.chain.id) ? [] : [deposit]
  })
  if (deposits.length === 0) return new NoBridgeError(order.origin, order.destination)
  return new OptionsBridgeError(order, deposits)
}

/** For what float arithmetic rounds off on the way. */
const margin = 1e-9

/** A net result that no crossing over `bridge` exceeds. */
function boundOf(order: Order, bridge: Bridge): number {
  const { origin, destination, deposit, payout } = bridge
  const shapes = {
    origin: leastShape(origin, order.origin, deposit),
    destination: leastShape(destination, payout, order.destination),
  }
  const swaps = {
    origin: routeBound(origin.graph, erc20Of(origin, order.origin), erc20Of(origin, deposit)),
    destination: routeBound(
      destination.graph,
      erc20Of(destination, payout),
      erc20Of(destination, order.destination),
    ),
  }
  const scale = 10 ** (payout.decimals - deposit.decimals)
  const { fixed, bps } = leastCharges(order, bridge, shapes.destination)
  const kept = 1 - Number(bps) / 10_000
  const gas = Number(depositGasWorth(order, bridge, shapes.origin))
  const amount = Number(order.amount)
  if (order.tradeType === 'EXACT_INPUT') {
    const deposited = amount * swaps.origin.rate * (1 + margin) + swaps.origin.extra
    const spent = (deposited * kept - fixed) * scale
    return spent * swaps.destination.rate + swaps.destination.extra - gas
  }
  const spent = (amount * (1 - margin) - swaps.destination.extra) / swaps.destination.rate
  const deposited = (spent / scale + fixed) / kept
  return -(deposited - swaps.origin.extra) / swaps.origin.rate - gas
}

/** What the relay takes at least: a sponsor may pay all but the app fees. */
function leastCharges(order: Order, bridge: Bridge, fill: LegShape) {
  const app = appBps(order.appFees)
  if (order.sponsorship !== undefined) return { fixed: 0, bps: app }
  const fixed = Number(bridge.flat) + Number(fillCost(bridge, fill))
  return { fixed, bps: bridge.bps + app }
}

/** What the user ends up with, or negative, what it takes, in the currency that is not given. */
function netResult(order: Order, { bridge, originLeg, destinationLeg }: Crossing): bigint {
  const result = order.tradeType === 'EXACT_INPUT' ? destinationLeg.amountOut : -originLeg.amountIn
  return result - depositGasWorth(order, bridge, shapeOf(originLeg))
}

/** What the deposit's gas is worth in the currency that is not given; 0 where a price is missing. */
function depositGasWorth(order: Order, { origin, destination }: Bridge, leg: LegShape): bigint {
  const gas = transactionCost(origin.gas, depositTransaction(leg, order.explicitDeposit))
  const { native } = origin.chain
  const [market, currency] =
    order.tradeType === 'EXACT_INPUT' ? [destination, order.destination] : [origin, order.origin]
  const nativePrice = origin.usdPrices.get(native.address)
  const price = market.usdPrices.get(currency.address)
  if (nativePrice === undefined || price === undefined) return 0n
  const scale = 10n ** BigInt(currency.decimals)
  return (gas * nativePrice * scale) / (price * 10n ** BigInt(native.decimals))
}
