import type { SwapMode } from '#src/pools/swapMode.ts'
import { gasPriceOf } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import {
  defaultMaxHops,
  findLimit,
  findReach,
  findRoute,
  maxRates,
  maxReach,
} from '#src/pricing/router/findRoute.ts'
import { type ImpactBound, impactBound } from '#src/pricing/router/impactBound.ts'
import type { Route } from '#src/pricing/router/route.ts'
import { type RouteBound, routeBound } from '#src/pricing/router/routeBound.ts'
import { ratesFrom, ratesTo } from '#src/pricing/router/search/rateTables.ts'
import { hasWrappedOutput, wrappedInput } from '#src/pricing/router/unwrappedHops.ts'
import { usdQuoted } from '#src/pricing/usdConversion.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import { approximateConversion } from '#src/units/usd.ts'
import type { RouteLimits } from './routeLimits.ts'

/** Two currencies of one chain, and the limits to routes between them. */
export type LegTask = Readonly<{
  market: ChainMarket
  input: Currency
  output: Currency
  limits: RouteLimits
}>

/** The conversion of one currency into another on one chain. */
export type LegSwap = Readonly<{
  /** Currency addresses of the task: the zero address is the native currency. */
  input: Address
  output: Address
  amountIn: Amount
  amountOut: Amount
  /** `undefined` if input and output are the same, or one wraps the other. */
  route: Route | undefined
  /** Whether native currency is wrapped first: not for pools that have the native currency itself. */
  wraps: boolean
  /** Whether native currency is unwrapped last. */
  unwraps: boolean
}>

/**
 * Swaps `amount` on one chain; `undefined` if its pools do not connect the two currencies with enough liquidity.
 * @param plannedFor an amount close to it whose plan to take.
 */
export function swapLeg(
  { market, input, output, limits }: LegTask,
  mode: SwapMode,
  amount: Amount,
  plannedFor = amount,
): LegSwap | undefined {
  const ends = { input: erc20Of(market, input), output: erc20Of(market, output) }
  const isNativeIn = isNative(input.address) && !isNative(output.address)
  const isNativeOut = isNative(output.address) && !isNative(input.address)
  const leg = { input: input.address, output: output.address }
  if (ends.input === ends.output) {
    const amounts = { amountIn: amount, amountOut: amount }
    return { ...leg, ...amounts, route: undefined, wraps: isNativeIn, unwraps: isNativeOut }
  }
  const gasPrice = gasPriceIn(market, mode === 'exactInput' ? output : input)
  const route = findRoute(market.graph, { ...ends, ...limits, mode, amount, gasPrice, plannedFor })
  return (
    route && {
      ...leg,
      ...{ amountIn: route.amountIn, amountOut: route.amountOut, route },
      wraps: isNativeIn && wrappedInput(route) > 0n,
      unwraps: isNativeOut && hasWrappedOutput(route),
    }
  )
}

/** An earlier plan is taken unless its amount was larger by more than one in so many. */
const samePlan = 64n

/** For which amount a leg is planned whose amount has fallen from that of the last plan. */
export const plannedAmount = (last: Amount | undefined, amount: Amount): Amount =>
  last === undefined || (last - amount) * samePlan > last ? amount : last

const queryOf = ({ market, input, output, limits }: LegTask, mode: SwapMode) => ({
  input: erc20Of(market, input),
  output: erc20Of(market, output),
  ...limits,
  mode,
})

/** The largest given amount that `swapLeg` can swap; `undefined` if no pools connect the two. Takes milliseconds. */
export const legLimit = (task: LegTask, mode: SwapMode): Amount | undefined =>
  findLimit(task.market.graph, queryOf(task, mode))

/** About how much of an exact output a single path of the leg gives. */
export const legReach = (task: LegTask): number =>
  findReach(task.market.graph, queryOf(task, 'exactOutput'))

/** No more than this: a bound that takes a fraction of the time. */
export const legMaxReach = (task: LegTask): number =>
  maxReach(task.market.graph, queryOf(task, 'exactOutput'))

/** Upper bound on the output of any swap of the leg. */
export const legBound = ({ market, input, output }: LegTask): RouteBound =>
  routeBound(market.graph, erc20Of(market, input), erc20Of(market, output))

/**
 * Upper bounds on the output per unit of input, by the hops of the longest path less one; one bound if no swap is
 * needed. Legs from one currency share their computation.
 */
export const maxRatesFrom = ({ market, input, output, limits }: LegTask): readonly number[] =>
  maxRates(market.graph, ratesFrom, erc20Of(market, input), erc20Of(market, output), limits)

/** Like `maxRatesFrom`; legs to one currency share their computation. */
export const maxRatesTo = ({ market, input, output, limits }: LegTask): readonly number[] =>
  maxRates(market.graph, ratesTo, erc20Of(market, output), erc20Of(market, input), limits)

/** Upper bound on the output of the leg for any input, with price impact. */
export const legImpactBound = ({ market, input, output, limits }: LegTask): ImpactBound =>
  impactBound(
    market.graph,
    erc20Of(market, input),
    erc20Of(market, output),
    limits.maxHops ?? defaultMaxHops,
  )

/** Whether no swap is needed: the two are the same, or one wraps the other. */
export const isOneErc20 = (market: ChainMarket, one: Currency, other: Currency): boolean =>
  erc20Of(market, one) === erc20Of(market, other)

/** The ERC-20 that pools trade for a currency: the wrapped one for the native currency. */
export const erc20Of = (market: ChainMarket, currency: Currency): Address =>
  isNative(currency.address) ? market.chain.wrappedNative : currency.address

/** The price of one unit of gas in raw units of `currency`, to guide the route search; 0 without a USD price. */
function gasPriceIn(market: ChainMarket, currency: Currency): number {
  const { native } = market.chain
  const wei = Number(gasPriceOf(market.gas))
  if (erc20Of(market, currency) === market.chain.wrappedNative) return wei
  const from = usdQuoted(market, native)
  const to = usdQuoted(market, currency)
  return from === undefined || to === undefined ? 0 : approximateConversion(wei, from, to)
}
