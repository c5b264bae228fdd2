import { fillCost } from '#src/pricing/fees/fillCost.ts'
import { minShape } from '#src/pricing/gas/transactionSize.ts'
import { isOneErc20 } from '#src/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import type { Bridge } from './bridge.ts'
import type { BridgeTerms } from './bridgeTerms.ts'
import { depositCost } from './depositCost.ts'

/**
 * What the legs of a bridge cost at least, by the hops of their longest path: the least gas of the deposit, and the fill.
 * Both are those of `depositCost` and `fillCost`.
 */
export type MinCosts = Readonly<{
  ofDeposit: (terms: BridgeTerms, bridge: Bridge) => (hops: number) => number
  /** Throws NoPriceError if the cost cannot be converted. */
  ofFill: (terms: BridgeTerms, bridge: Bridge) => (hops: number) => number
}>

/**
 * Costs of all orders without calls between two chains at their blocks. Most pairs of currencies share them: they depend
 * on the currency of the cost and on the kinds of the others, which are native or not.
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
    ofDeposit: (terms, bridge) => {
      const { origin, deposit } = bridge
      const open = terms.tradeType === 'EXACT_INPUT' ? terms.destination : terms.origin
      const how = `${terms.explicitDeposit} ${terms.permit?.kind} ${terms.permit?.payer}`
      return shared(
        `deposit ${open.chainId} ${open.address} ${how} ${kindOf(origin, terms.origin, deposit)}`,
        (hops) => depositCost(terms, bridge, minShape(origin, terms.origin, deposit, hops)),
      )
    },
    ofFill: (terms, bridge) => {
      const { destination, deposit, payout, topup, sweep, gasPercent } = bridge
      const fee = `${deposit.address} ${payout.address} ${topup} ${sweep} ${gasPercent}`
      return shared(`fill ${fee} ${kindOf(destination, payout, terms.destination)}`, (hops) =>
        fillCost(bridge, minShape(destination, payout, terms.destination, hops)),
      )
    },
  }
}

/** What the size of a leg depends on, beside its hops. */
const kindOf = (market: ChainMarket, input: Currency, output: Currency): string =>
  `${isNative(input.address)} ${isNative(output.address)} ${isOneErc20(market, input, output)}`
