import { fillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { depositTransaction, minShape } from '#src/core/pricing/gas/transactionSize.ts'
import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { isRelayed } from '#src/core/pricing/order.ts'
import { usdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { convertDown } from '#src/core/units/usd.ts'
import type { AssetPair } from './assetPair.ts'

/**
 * The gas of a deposit transaction in the currency whose amount the order leaves open, rounded down. 0 if a price is
 * missing, or if the solver sends the deposit, because its fees then include the gas.
 */
export function depositCost(
  { terms, origin, destination }: AssetPair,
  transaction: TransactionSize,
): Amount {
  if (isRelayed(terms)) return toAmount(0n)
  const wei = transactionCost(origin.gas, transaction)
  const native = usdQuoted(origin, origin.chain.native)
  const currency =
    terms.tradeType === 'EXACT_INPUT'
      ? usdQuoted(destination, terms.destination)
      : usdQuoted(origin, terms.origin)
  if (native === undefined || currency === undefined) return toAmount(0n)
  return convertDown(wei, native, currency)
}

/**
 * The minimum costs of the legs of an asset pair, by the number of hops of their longest path: `depositCost` and `fillCost`
 * of the smallest possible leg.
 */
export type MinCosts = Readonly<{
  ofDeposit: (assetPair: AssetPair) => (hops: number) => number
  /** Throws NoPriceError if the cost cannot be converted. */
  ofFill: (assetPair: AssetPair) => (hops: number) => number
}>

/**
 * Minimum costs of all orders without calls between two chains at their blocks. Most pairs of currencies share them,
 * because they depend only on the currency of the cost, on native ends, and on whether the leg needs a swap.
 */
export function createMinCosts(): MinCosts {
  const known = new Map<string, number[]>()
  const shared = (key: string, costOf: (hops: number) => bigint) => {
    const byHops = known.get(key) ?? []
    known.set(key, byHops)
    return (hops: number): number => {
      byHops[hops] ??= Number(costOf(hops))
      return byHops[hops]
    }
  }
  return {
    ofDeposit: (assetPair) => {
      const { terms, origin, deposit } = assetPair
      const open = terms.tradeType === 'EXACT_INPUT' ? terms.destination : terms.origin
      const how = `${terms.explicitDeposit} ${terms.permit?.kind} ${terms.permit?.payer}`
      return shared(
        `deposit ${open.chainId} ${open.address} ${how} ${kindOf(origin, terms.origin, deposit)}`,
        (hops) => {
          const smallest = minShape(origin, terms.origin, deposit, hops)
          const { explicitDeposit, permit } = terms
          return depositCost(assetPair, depositTransaction(smallest, explicitDeposit, permit?.kind))
        },
      )
    },
    ofFill: (assetPair) => {
      const { terms, destination, deposit, payout, topup, sweep, gasPercent } = assetPair
      const fee = `${deposit.address} ${payout.address} ${topup} ${sweep} ${gasPercent}`
      return shared(`fill ${fee} ${kindOf(destination, payout, terms.destination)}`, (hops) =>
        fillCost(assetPair, minShape(destination, payout, terms.destination, hops)),
      )
    },
  }
}

/** The properties that determine the size of a leg, apart from its hops: native ends, and whether it needs a swap. */
const kindOf = (market: ChainMarket, input: Currency, output: Currency): string =>
  `${isNative(input.address)} ${isNative(output.address)} ${isOneErc20(market, input, output)}`
