import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, wholeBps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'
import { divUp, mulDivUp } from '#src/units/ratio.ts'
import { amountWorth } from '#src/units/usd.ts'
import { assetOf, pairBps } from './asset.ts'
import { NoPriceError } from './failures.ts'
import { transactionCost } from './gas.ts'
import type { LegTask } from './leg.ts'
import type { ChainMarket, Market } from './market.ts'
import type { AppFee, Order } from './order.ts'
import { limitsOf } from './routeLimits.ts'
import { fillTransaction, type LegShape } from './transactionSize.ts'

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
  /** The schedule's part by class of the order's pair. */
  bps: Bps
}>

/** What is taken from a deposit before the rest is paid out; all in the deposit currency. */
export type RelayFees = Readonly<{ relayerGas: Amount; relayerService: Amount; app: Amount }>

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
    bps: pairBps(
      market.feeSchedule,
      assetOf(market, order.origin),
      assetOf(market, order.destination),
    ),
  }
}

/**
 * What the fill of `leg` costs, in the deposit currency, rounded up: one to one where the deposit is
 * the destination's native asset, else by USD prices.
 * @throws NoPriceError where there are none.
 */
export function fillCost(bridge: Bridge, leg: LegShape): Amount {
  const { origin, destination, deposit, payout } = bridge
  const cost = transactionCost(destination.gas, fillTransaction(leg))
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

/** What the app fees together take, in basis points. */
export const appBps = (fees: readonly AppFee[]): bigint =>
  fees.reduce((sum, { fee }) => sum + fee, 0n)

/**
 * What shares that are `bps` together take of `amount`, rounded up once for all of them: rounding up
 * each could leave less of a larger amount.
 */
export const sharesOn = (amount: Amount, bps: bigint): Amount =>
  toAmount(mulDivUp(amount, bps, wholeBps))

/** What the solver pays out for `amount` of the deposit currency, rounded down. */
export const payoutFor = ({ deposit, payout }: Bridge, amount: Amount): Amount =>
  toAmount((amount * 10n ** BigInt(payout.decimals)) / 10n ** BigInt(deposit.decimals))

/** What the solver asks for to pay out `amount`, rounded up. */
export const depositFor = ({ deposit, payout }: Bridge, amount: Amount): Amount =>
  toAmount(mulDivUp(amount, 10n ** BigInt(deposit.decimals), 10n ** BigInt(payout.decimals)))

/**
 * The least amount that leaves `rest` once shares of `bps` together are taken; `undefined` where they
 * are all of it or more.
 */
export function grossUp(rest: bigint, bps: bigint): Amount | undefined {
  const left = wholeBps - bps
  return left <= 0n ? undefined : toAmount(divUp(rest * wholeBps, left))
}
