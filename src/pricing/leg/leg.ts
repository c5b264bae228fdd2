import type { SwapMode } from '#src/pools/pool.ts'
import { gasPriceOf } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import { findLimit, findRoute } from '#src/pricing/router/findRoute.ts'
import type { Route } from '#src/pricing/router/route.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import type { RouteLimits } from './routeLimits.ts'

/** Two currencies of one chain, and the routes between them that may be taken. */
export type LegTask = Readonly<{
  market: ChainMarket
  input: Currency
  output: Currency
  limits: RouteLimits
}>

/** How one currency becomes another on one chain. */
export type LegSwap = Readonly<{
  /** Currency addresses as asked for: the zero address is the native currency. */
  input: Address
  output: Address
  amountIn: Amount
  amountOut: Amount
  /** Absent where input and output are the same, or one wraps the other. */
  route: Route | undefined
  /** Whether the native currency is wrapped first. */
  wraps: boolean
  /** Whether the native currency is unwrapped last. */
  unwraps: boolean
}>

/** The swap of `amount` on one chain; `undefined` where its pools do not join the two deeply enough. */
export function swapLeg(
  { market, input, output, limits }: LegTask,
  mode: SwapMode,
  amount: Amount,
): LegSwap | undefined {
  const ends = { input: erc20Of(market, input), output: erc20Of(market, output) }
  const wraps = isNative(input.address) && !isNative(output.address)
  const unwraps = isNative(output.address) && !isNative(input.address)
  const leg = { input: input.address, output: output.address, wraps, unwraps }
  if (ends.input === ends.output)
    return { ...leg, amountIn: amount, amountOut: amount, route: undefined }
  const gasPrice = gasPriceIn(market, mode === 'exactInput' ? output : input)
  const route = findRoute(market.graph, { ...ends, ...limits, mode, amount, gasPrice })
  return route && { ...leg, amountIn: route.amountIn, amountOut: route.amountOut, route }
}

/** The most of `kind`'s given side that `swapLeg` can serve; `undefined` where no pools join the two. */
export const legLimit = (
  { market, input, output, limits }: LegTask,
  mode: SwapMode,
): Amount | undefined =>
  findLimit(market.graph, {
    input: erc20Of(market, input),
    output: erc20Of(market, output),
    ...limits,
    mode,
  })

/** Whether one becomes the other without a swap: they are the same, or one wraps the other. */
export const isOneErc20 = (market: ChainMarket, one: Currency, other: Currency): boolean =>
  erc20Of(market, one) === erc20Of(market, other)

/** The ERC-20 that pools trade for a currency. */
export const erc20Of = (market: ChainMarket, currency: Currency): Address =>
  isNative(currency.address) ? market.chain.wrappedNative : currency.address

/** Raw units of `currency` for one unit of gas, to guide the search; 0 where it has no price. */
function gasPriceIn(market: ChainMarket, currency: Currency): number {
  const { native } = market.chain
  const wei = Number(gasPriceOf(market.gas))
  if (erc20Of(market, currency) === market.chain.wrappedNative) return wei
  const nativePrice = market.usdPrices.get(native.address)
  const price = market.usdPrices.get(currency.address)
  if (nativePrice === undefined || price === undefined) return 0
  return (wei * Number(nativePrice) * 10 ** (currency.decimals - native.decimals)) / Number(price)
}
