import type { Currency } from '#src/units/currency.ts'
import type { ChainMarket, Market } from './market.ts'

/** Of a currency's chain. @throws Error for a chain that was not asked for with the market. */
export function marketOf(market: Market, { chainId }: Currency): ChainMarket {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error(`The market lacks chain ${chainId}`)
  return chain
}
