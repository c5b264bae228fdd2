import { AppError } from '#src/errors.ts'
import { isExplicit } from '#src/pricing/deposits/plainTransfer.ts'
import { relayBound } from '#src/pricing/fees/relayFees.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import {
  depositTransaction,
  type LegShape,
  minShape,
  shapeOf,
} from '#src/pricing/gas/transactionSize.ts'
import { isOneErc20, legBound } from '#src/pricing/leg/leg.ts'
import { assetOf, type ChainMarket, type Market } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { usdQuoted } from '#src/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { convertDown } from '#src/units/usd.ts'
import { attempt, bestCrossing, mostUsefulFailure } from './bestBridge.ts'
import { type Bridge, createBridge } from './bridge.ts'
import { type Crossing, cross } from './crossing.ts'

type Chains = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/**
 * Prices the order over the bridge asset with the best result for the user: the largest output or the smallest input,
 * after the gas of the deposit. Tries every asset that is on both chains, except those whose upper bound is no better
 * than the best result so far.
 * @throws AppError the most useful failure if no asset works.
 */
export function chooseBridge(order: Order, market: Market, chains: Chains): Crossing {
  const { bridges, failures } = bridgesOf(order, market, chains)
  const best = bestCrossing(bridges, {
    cross: (bridge) => cross(order, bridge),
    netOf: (crossing) => netResult(order, crossing),
    failures,
  })
  if (best === undefined) throw mostUsefulFailure(failures) ?? noBridge(order, market, chains)
  return best
}

/** By descending upper bound; the assets of the order's own currencies come first among equals. */
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
      return { bridge, bound: maxNetResult(order, bridge), isOwn: own.includes(asset) }
    }, failures)
    return found ?? []
  })
  bridges.sort((one, other) => other.bound - one.bound || Number(other.isOwn) - Number(one.isOwn))
  return { bridges, failures }
}

/** On a single chain only one of the legs may swap: the other leg would not see what the swap does to the pools. */
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

/** Allows for float rounding. */
const margin = 1e-9

/** Upper bound on `netResult` of any crossing over `bridge`. */
function maxNetResult(order: Order, bridge: Bridge): number {
  const { origin, deposit, legs } = bridge
  const swaps = { origin: legBound(legs.origin), destination: legBound(legs.destination) }
  const relay = relayBound(order, bridge)
  const gas = Number(depositGas(order, bridge, minShape(origin, order.origin, deposit)))
  const amount = Number(order.amount)
  if (order.tradeType === 'EXACT_INPUT') {
    const deposited = amount * swaps.origin.rate * (1 + margin) + swaps.origin.extra
    return relay.maxSpend(deposited) * swaps.destination.rate + swaps.destination.extra - gas
  }
  const spent = (amount * (1 - margin) - swaps.destination.extra) / swaps.destination.rate
  return -(relay.minDeposit(spent) - swaps.origin.extra) / swaps.origin.rate - gas
}

/** The output, or the negative input, after the gas of the deposit: in the currency whose amount the order leaves open. */
function netResult(order: Order, { bridge, originLeg, destinationLeg }: Crossing): bigint {
  const result = order.tradeType === 'EXACT_INPUT' ? destinationLeg.amountOut : -originLeg.amountIn
  const { origin, deposit } = bridge
  const explicitDeposit = isExplicit(order, origin, deposit, originLeg.amountOut)
  return result - depositGas({ ...order, explicitDeposit }, bridge, shapeOf(originLeg))
}

/** The gas of the deposit in the currency whose amount the order leaves open, rounded down; 0 if a price is missing. */
function depositGas(order: Order, { origin, destination }: Bridge, leg: LegShape): Amount {
  const wei = transactionCost(origin.gas, depositTransaction(leg, order.explicitDeposit))
  const native = usdQuoted(origin, origin.chain.native)
  const currency =
    order.tradeType === 'EXACT_INPUT'
      ? usdQuoted(destination, order.destination)
      : usdQuoted(origin, order.origin)
  if (native === undefined || currency === undefined) return toAmount(0n)
  return convertDown(wei, native, currency)
}

/** The solver can bridge no asset between the two chains. */
class NoBridgeError extends AppError {
  constructor(origin: Currency, destination: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `The solver has no currency that it takes on chain ${origin.chainId} and pays out on chain ${destination.chainId}.`,
      { originChainId: origin.chainId, destinationChainId: destination.chainId },
    )
  }
}

/** The options of the order exclude every asset that the solver can bridge. */
class OptionsBridgeError extends AppError {
  /** @param deposits what the solver takes on the origin chain and pays out on the destination chain. */
  constructor({ origin, destination, disableOriginSwaps }: Order, deposits: readonly Currency[]) {
    const taken = deposits.map(({ symbol }) => symbol).join(', ')
    const field = disableOriginSwaps ? 'disableOriginSwaps' : 'forceSolverExecution'
    const reason = disableOriginSwaps
      ? `${origin.symbol} would have to be swapped on chain ${origin.chainId} before the deposit`
      : `the solver swaps on one side only, and neither takes ${origin.symbol} nor pays out ${destination.symbol} on chain ${origin.chainId}`
    super('UNSUPPORTED_ROUTE', `${field}: ${reason}; the solver takes ${taken}.`, { field })
  }
}
