import { assetOf, pairBps } from '#src/pricing/asset.ts'
import { NoPriceError } from '#src/pricing/failures.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import {
  fillTransaction,
  type LegShape,
  topupTransaction,
} from '#src/pricing/gas/transactionSize.ts'
import type { LegTask } from '#src/pricing/leg/leg.ts'
import { limitsOf } from '#src/pricing/leg/routeLimits.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { AppFee, Order } from '#src/pricing/order.ts'
import type { Address } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, wholeBps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import { divUp, mulDivDown, mulDivUp } from '#src/units/mulDiv.ts'
import { amountWorth, type Usd, usdPriceDecimals } from '#src/units/usd.ts'

/** One asset that the solver takes on the origin chain and pays out on the destination chain. */
export type Bridge = Readonly<{
  origin: ChainMarket
  destination: ChainMarket
  /** What the depository receives. */
  deposit: Currency
  /** What the solver spends. */
  payout: Currency
  /** From the order's currency to the deposit, and from the payout to the order's currency. */
  legs: Readonly<Record<'origin' | 'destination', LegTask>>
  /** The schedule's flat part, in the deposit currency. */
  flat: Amount
  /** `fixedRate`, else the schedule's part by class of the order's pair. */
  bps: Bps
  /** Of the destination's native currency, paid to the recipient on top; absent: none. */
  topup?: Amount
  /** What the fill runs beside the payment. */
  calls: Pick<Order, 'txs' | 'txsGasLimit'>
}>

/** What a fill's cost depends on, in the currency of the deposit. */
export type FillSide = Pick<
  Bridge,
  'origin' | 'destination' | 'deposit' | 'payout' | 'topup' | 'calls'
>

/** What the relay takes, in the deposit currency: all of it comes off the deposit but `subsidized`. */
export type RelayFees = Readonly<
  Record<'relayerGas' | 'relayerService' | 'app' | 'subsidized', Amount>
>

/** @throws NoPriceError where the flat fee cannot be converted. */
export function createBridge(
  market: Market,
  order: Order,
  chains: Readonly<{ origin: ChainMarket; destination: ChainMarket }>,
  currencies: Readonly<{ deposit: Currency; payout: Currency }>,
): Bridge {
  const price = chains.origin.usdPrices.get(currencies.deposit.address)
  if (price === undefined) throw new NoPriceError(currencies.deposit)
  const { deposit, payout } = currencies
  return {
    ...chains,
    ...currencies,
    legs: {
      origin: {
        market: chains.origin,
        input: order.origin,
        output: deposit,
        limits: limitsOf(order, order.swapSources.origin),
      },
      destination: {
        market: chains.destination,
        input: payout,
        output: order.destination,
        limits: limitsOf(order, order.swapSources.destination),
      },
    },
    flat: amountWorth(market.feeSchedule.flat, currencies.deposit.decimals, price),
    bps:
      order.fixedRate ??
      pairBps(
        market.feeSchedule,
        assetOf(market, order.origin),
        assetOf(market, order.destination),
      ),
    ...(order.topup !== undefined && { topup: nativeWorth(order.topup, chains.destination) }),
    calls: order,
  }
}

/** `Usd` counts millionths. */
const usdDecimals = 6

/** The native currency that is worth `usd`, rounded down: no more is paid than was asked for. */
function nativeWorth(usd: Usd, { chain, usdPrices }: ChainMarket): Amount {
  const price = usdPrices.get(chain.native.address)
  if (price === undefined) throw new NoPriceError(chain.native)
  const scale = 10n ** BigInt(chain.native.decimals + usdPriceDecimals - usdDecimals)
  return toAmount(mulDivDown(usd, scale, price))
}

/**
 * What the fill of `leg` costs, with what it pays on top, in the deposit currency, rounded up: one to one
 * where the deposit is the destination's native asset, else by USD prices.
 * @throws NoPriceError where there are none.
 */
export function fillCost(bridge: FillSide, leg: LegShape): Amount {
  const { origin, destination, deposit, payout } = bridge
  const gas = transactionCost(destination.gas, fillTransaction(leg, bridge.calls))
  const cost = toAmount(gas + topupCost(bridge))
  const { native } = destination.chain
  if (payout.address === native.address) return depositFor(bridge, cost)
  const nativePrice = destination.usdPrices.get(native.address)
  if (nativePrice === undefined) throw new NoPriceError(native)
  const depositPrice = origin.usdPrices.get(deposit.address)
  if (depositPrice === undefined) throw new NoPriceError(deposit)
  const scale = 10n ** BigInt(deposit.decimals)
  const nativeScale = 10n ** BigInt(native.decimals)
  return toAmount(mulDivUp(cost, nativePrice * scale, depositPrice * nativeScale))
}

/** What is paid on top, and the gas of that payment, in wei. */
const topupCost = ({ topup, destination }: FillSide): bigint =>
  topup === undefined ? 0n : topup + transactionCost(destination.gas, topupTransaction)

/** What the app fees together take, in basis points. */
export const appBps = (fees: readonly AppFee[]): bigint =>
  fees.reduce((sum, { fee }) => sum + fee, 0n)

/** What is taken in proportion to the deposit, in basis points. */
export const allBps = (order: Pick<Order, 'appFees'>, { bps }: Pick<Bridge, 'bps'>): bigint =>
  bps + appBps(order.appFees)

/**
 * `total` of all app fees, divided between their recipients: each gets its share rounded down, and what
 * that leaves goes out unit by unit, from the first on.
 */
export function appFeeShares(
  fees: readonly AppFee[],
  total: Amount,
): readonly Readonly<{ recipient: Address; amount: Amount }>[] {
  const bps = appBps(fees)
  const floors = fees.map(({ fee }) => (bps === 0n ? 0n : mulDivDown(total, fee, bps)))
  const left = total - floors.reduce((sum, floor) => sum + floor, 0n)
  return fees.map(({ recipient }, at) => ({
    recipient,
    amount: toAmount((floors[at] as bigint) + (BigInt(at) < left ? 1n : 0n)),
  }))
}

/**
 * What shares that are `bps` together take of `amount`, rounded up once for all of them: rounding up
 * each could leave less of a larger amount.
 */
export const sharesOn = (amount: Amount, bps: bigint): Amount =>
  toAmount(mulDivUp(amount, bps, wholeBps))

/** What the solver pays out for `amount` of the deposit currency, rounded down. */
export const payoutFor = (
  { deposit, payout }: Pick<Bridge, 'deposit' | 'payout'>,
  amount: Amount,
): Amount => toAmount((amount * 10n ** BigInt(payout.decimals)) / 10n ** BigInt(deposit.decimals))

/** What the solver asks for to pay out `amount`, rounded up. */
export const depositFor = (
  { deposit, payout }: Pick<Bridge, 'deposit' | 'payout'>,
  amount: Amount,
): Amount =>
  toAmount(mulDivUp(amount, 10n ** BigInt(deposit.decimals), 10n ** BigInt(payout.decimals)))

/**
 * The least amount that leaves `rest` once shares of `bps` together are taken; `undefined` where they
 * are all of it or more.
 */
export function grossUp(rest: bigint, bps: bigint): Amount | undefined {
  const left = wholeBps - bps
  return left <= 0n ? undefined : toAmount(divUp(rest * wholeBps, left))
}
