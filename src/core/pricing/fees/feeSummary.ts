import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { depositTransaction, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import type { MultiOrder, Order } from '#src/core/pricing/order.ts'
import { isRelayed } from '#src/core/pricing/permits.ts'
import type { CurrencyAmount, Fees } from '#src/core/pricing/price.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { convertUp, usdValueDown } from '#src/core/units/usd.ts'
import { depositFor } from './depositPair.ts'
import type { MultiRelayFees } from './multiRelayFees.ts'
import type { RelayFees } from './relayFees.ts'

const none = toAmount(0n)

/**
 * The fees of an order with one deposit, on its origin chain.
 * @param currency the currency of the `relay` amounts.
 */
export function summarizeFees(
  order: Order,
  market: ChainMarket,
  transaction: TransactionSize,
  currency: Currency,
  relay: RelayFees,
): Fees {
  const cost = isRelayed(order) ? none : gasCost(market, transaction, order.originGasOverhead)
  return feesIn(market, currency, relay, cost)
}

/**
 * The fees of a multi-input order, on its destination chain. The gas of all deposits is converted to its native
 * currency.
 */
export function summarizeMultiFees(
  order: MultiOrder,
  market: Market,
  chain: ChainMarket,
  payout: Currency,
  relay: MultiRelayFees,
  deposits: readonly OriginSwap[],
): Fees {
  const gas = deposits.reduce(
    (sum, { origin, leg }) =>
      sum +
      nativeCost(
        market,
        origin.market,
        chain,
        gasCost(origin.market, depositTransaction(shapeOf(leg), true), order.originGasOverhead),
      ),
    0n,
  )
  // Multi-input orders have neither app fees nor a sponsor.
  return feesIn(chain, payout, { ...relay, app: none, subsidized: none }, toAmount(gas))
}

type OriginSwap = Readonly<{ origin: Readonly<{ market: ChainMarket }>; leg: LegSwap }>

function feesIn(market: ChainMarket, currency: Currency, relay: RelayFees, gas: Amount): Fees {
  const { relayerGas, relayerService, app, subsidized } = relay
  const fee = (amount: Amount) => currencyAmount(market, currency, amount)
  return {
    gas: currencyAmount(market, market.chain.native, gas),
    relayer: fee(toAmount(relayerGas + relayerService)),
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    app: fee(app),
    subsidized: fee(subsidized),
  }
}

const gasCost = (market: ChainMarket, { gas, bytes }: TransactionSize, overhead: bigint): Amount =>
  transactionCost(market.gas, { gas: gas + overhead, bytes })

/**
 * Converts wei of one chain to wei of another, rounded up: one to one if both native currencies are the same asset,
 * else by USD prices.
 * @throws NoPriceError if a price is missing.
 */
function nativeCost(market: Market, from: ChainMarket, to: ChainMarket, wei: Amount): Amount {
  const { native: payout } = from.chain
  const { native: deposit } = to.chain
  const asset = assetOf(market, deposit)
  const isSameAsset = asset !== undefined && asset === assetOf(market, payout)
  if (payout.chainId === deposit.chainId || isSameAsset) return depositFor({ deposit, payout }, wei)
  return convertUp(wei, requireUsdQuoted(from, payout), requireUsdQuoted(to, deposit))
}

/** An amount of a currency on the chain of the market, with its USD value. The whole amount is promised by default. */
export function currencyAmount(
  market: ChainMarket,
  currency: Currency,
  amount: Amount,
  minimumAmount = amount,
): CurrencyAmount {
  const price = market.usdPrices.get(currency.address)
  const usd = price && usdValueDown(amount, currency.decimals, price)
  return { currency, amount, minimumAmount, usd }
}
