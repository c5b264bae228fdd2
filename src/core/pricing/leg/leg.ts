import { AppError } from '#src/core/errors.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { usdQuoted } from '#src/core/pricing/conversion.ts'
import { gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order, SwapSourceFilter } from '#src/core/pricing/order.ts'
import {
  boundSinglePathOutput,
  defaultMaxHops,
  findLimit,
  findMaxSinglePathOutput,
  findRoute,
  maxRates,
} from '#src/core/router/findRoute.ts'
import { hasWrappedOutput, type Route, wrappedInput } from '#src/core/router/route.ts'
import {
  type RouteAmountBounds,
  type RouteOutputBound,
  routeAmountBounds,
  routeOutputBound,
} from '#src/core/router/routeBounds.ts'
import { ratesFrom, ratesTo } from '#src/core/router/search/rateTables.ts'
import { fewUnits } from '#src/core/router/simulate/simulateRoute.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, describeAmount, isNative, maxAmountData } from '#src/core/units/currency.ts'
import { approximateConversion } from '#src/core/units/usd.ts'

/** Two currencies of one chain, and the limits on routes between them. */
export type LegTask = Readonly<{
  market: ChainMarket
  input: Currency
  output: Currency
  limits: RouteLimits
  /** See `RouteQuery`. */
  maxWork?: number
}>

/** The conversion of one currency into another on one chain. */
export type LegSwap = Readonly<{
  /** Currency addresses of the task: the zero address is the native currency. */
  input: Account
  output: Account
  amountIn: Amount
  amountOut: Amount
  /** `undefined` if input and output are the same, or one wraps the other. */
  route: Route | undefined
  /** Whether native currency is wrapped first. Pools of the native currency itself do not need that. */
  wraps: boolean
  /** Whether native currency is unwrapped last. */
  unwraps: boolean
}>

/**
 * Swaps `amount` on one chain. Input rounded up, output rounded down, as in the contracts. `undefined` if the pools do
 * not connect the two currencies with enough liquidity.
 * @param plannedFor uses the plan for this amount, which is close to `amount`: see `RouteQuery`.
 */
export function swapLeg(
  { market, input, output, limits, maxWork }: LegTask,
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
  const route = findRoute(market.graph, {
    ...ends,
    ...limits,
    mode,
    amount,
    gasPrice,
    plannedFor,
    ...(maxWork !== undefined && { maxWork }),
  })
  return (
    route && {
      ...leg,
      amountIn: route.amountIn,
      amountOut: route.amountOut,
      route,
      wraps: isNativeIn && wrappedInput(route) > 0n,
      unwraps: isNativeOut && hasWrappedOutput(route),
    }
  )
}

/** The last plan is reused until the amount has fallen by more than 1/64 of the amount that was planned. */
const samePlan = 64n

/** The amount to plan a leg for, after its amount has fallen from `last`, the amount of the last plan. */
export const plannedAmount = (last: Amount | undefined, amount: Amount): Amount =>
  last === undefined || (last - amount) * samePlan > last ? amount : last

const queryOf = ({ market, input, output, limits }: LegTask, mode: SwapMode) => ({
  input: erc20Of(market, input),
  output: erc20Of(market, output),
  ...limits,
  mode,
})

/**
 * The largest given amount that `swapLeg` can swap; `undefined` if no pools connect the two currencies. Takes
 * milliseconds.
 */
export const legLimit = (task: LegTask, mode: SwapMode): Amount | undefined =>
  findLimit(task.market.graph, queryOf(task, mode))

/** The approximate maximum output of a single path of the leg. */
const legMaxSinglePathOutput = (task: LegTask): number =>
  findMaxSinglePathOutput(task.market.graph, queryOf(task, 'exactOutput'))

/** Upper bound on `legMaxSinglePathOutput`. It takes a fraction of the time. */
const legSinglePathBound = (task: LegTask): number =>
  boundSinglePathOutput(task.market.graph, queryOf(task, 'exactOutput'))

/** Upper bound on the output of any swap of the leg. */
export const legOutputBound = ({ market, input, output }: LegTask): RouteOutputBound =>
  routeOutputBound(market.graph, erc20Of(market, input), erc20Of(market, output))

/**
 * Upper bounds on the output per unit of input. Entry n bounds legs whose longest path has at most n + 1 hops; a single
 * entry if no swap is needed. Legs from one currency share their computation.
 */
export const maxRatesFrom = ({ market, input, output, limits }: LegTask): readonly number[] =>
  maxRates(market.graph, ratesFrom, erc20Of(market, input), erc20Of(market, output), limits)

/** Like `maxRatesFrom`; legs to one currency share their computation. */
export const maxRatesTo = ({ market, input, output, limits }: LegTask): readonly number[] =>
  maxRates(market.graph, ratesTo, erc20Of(market, output), erc20Of(market, input), limits)

/** Upper bound on the output of the leg for any input, with price impact. */
export const legAmountBounds = ({ market, input, output, limits }: LegTask): RouteAmountBounds =>
  routeAmountBounds(
    market.graph,
    erc20Of(market, input),
    erc20Of(market, output),
    limits.maxHops ?? defaultMaxHops,
  )

/** Whether no swap is needed: the two currencies are the same, or one wraps the other. */
export const isOneErc20 = (market: ChainMarket, one: Currency, other: Currency): boolean =>
  erc20Of(market, one) === erc20Of(market, other)

/** The ERC-20 that pools trade for a currency: the wrapped one for the native currency. */
export const erc20Of = (market: ChainMarket, currency: Currency): Account =>
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

/** Limits on the routes of a leg; absent: no limit. */
export type RouteLimits = Readonly<{
  maxHops?: number
  allowsPool?: (pool: Pool) => boolean
  /**
   * Whether a swap for an exact output may use pools with a moving fee. Set only if less than that output may arrive.
   */
  allowsMovingFees?: boolean
}>

export const withoutLimits: RouteLimits = {}

/** The limits of `order` on a leg. Pools must pass every filter. */
export function limitsOf(
  { maxRouteLength, tradeType }: Pick<Order, 'maxRouteLength'> & Partial<Pick<Order, 'tradeType'>>,
  ...filters: readonly SwapSourceFilter[]
): RouteLimits {
  const filtering = filters.filter(
    ({ included, excluded }) => included !== undefined || excluded.size > 0,
  )
  const allowsMovingFees = tradeType === 'EXPECTED_OUTPUT'
  if (maxRouteLength === undefined && filtering.length === 0 && !allowsMovingFees)
    return withoutLimits
  const allowsPool = ({ source }: Pool) =>
    filtering.every(
      ({ included, excluded }) => !excluded.has(source) && (included?.has(source) ?? true),
    )
  return {
    ...(maxRouteLength !== undefined && { maxHops: maxRouteLength }),
    ...(filtering.length > 0 && { allowsPool }),
    ...(allowsMovingFees && { allowsMovingFees }),
  }
}

/** The required output and the maximum input of a payout. */
type PayoutTerms = Readonly<{
  /** The input that is tried first. */
  netInput: Amount
  /** The maximum input for an output that was promised to the unit, if `netInput` is not enough for it. */
  maxNetInput: Amount
  /** The minimum output. */
  minimum: Amount
  /** Whether `minimum` was promised to the unit, rather than as a lower limit. */
  isExact: boolean
  /** Whether the recipient gets exactly the minimum. */
  keepsRest: boolean
}>

export type PayoutLeg =
  /** `limitsOutput`: an exact-output swap for `leg.amountOut` with at most `maxNetInput` as its input. */
  | Readonly<{ kind: 'leg'; leg: LegSwap; limitsOutput: boolean; maxNetInput: Amount }>
  /** The pools give less than the minimum. */
  | Readonly<{ kind: 'tooLittle' }>
  /** The pools do not connect the two currencies, or not with enough liquidity. */
  | Readonly<{ kind: 'noRoute' }>

/** Plans a destination leg on the current market, which may be long after its quote. */
export function payoutLeg(task: LegTask, terms: PayoutTerms): PayoutLeg {
  const { netInput, maxNetInput, minimum, isExact, keepsRest } = terms
  const whole = swapLeg(task, 'exactInput', netInput)
  const isEnough = whole !== undefined && whole.amountOut >= minimum
  if (isEnough && !keepsRest)
    return { kind: 'leg', leg: whole, limitsOutput: false, maxNetInput: netInput }
  const short = { kind: whole === undefined ? 'noRoute' : 'tooLittle' } as const
  if (!isExact) return short
  const exact = swapLeg(task, 'exactOutput', minimum)
  const limit = isEnough ? netInput : maxNetInput
  if (exact !== undefined && exact.amountIn <= limit)
    return { kind: 'leg', leg: exact, limitsOutput: exact.route !== undefined, maxNetInput: limit }
  return isEnough ? { kind: 'leg', leg: whole, limitsOutput: false, maxNetInput: netInput } : short
}

type FailingLeg = 'origin' | 'destination'

/**
 * `swapLeg` for a leg of a price.
 * @throws AppError `legFailure` without a route.
 */
export function requireLeg(
  leg: FailingLeg,
  task: LegTask,
  mode: SwapMode,
  amount: Amount,
  plannedFor = amount,
): LegSwap {
  const swapped = swapLeg(task, mode, amount, plannedFor)
  if (swapped === undefined) throw legFailure(leg, task, mode, amount)
  return swapped
}

/**
 * The error of a leg that has no route for `amount`. For an exact output it is a `NoOutputError`, whose `explain` gives
 * the details.
 */
export function legFailure(
  leg: FailingLeg,
  task: LegTask,
  mode: SwapMode,
  amount: Amount,
): AppError {
  if (mode === 'exactOutput') return new NoOutputError(leg, task, amount)
  // Very few units buy less than one unit of output; they do not exhaust the pools.
  if (amount < fewUnits && connects(task)) return new OutputTooLowError(task.output)
  const limit = legLimit(task, mode)
  if (limit !== undefined && limit >= amount) return new OutputTooLowError(task.output)
  const isLimited = fitsWithoutLimits(task, mode, amount)
  return new NoRouteError(leg, task, { mode, amount, limit, isLimited })
}

/**
 * Whether pools surely connect the two currencies. False if the order restricts the pools, because the rates ignore
 * that.
 */
const connects = (task: LegTask): boolean =>
  task.limits.allowsPool === undefined && maxRatesTo(task).some((rate) => rate > 0)

/**
 * No route gives an exact output. The largest amount that works takes milliseconds to compute. So only the one failure
 * that is reported, among those of all asset pairs, is explained.
 */
export class NoOutputError extends AppError {
  /**
   * Creates the error with the largest amount that works, which also says whether the limits of the order are the
   * reason.
   */
  readonly explain: () => AppError
  /** The approximate maximum output of a single path; 0 if there is none. */
  readonly maxSinglePathOutput: () => number
  /** Upper bound on `maxSinglePathOutput`. It takes a fraction of the time. */
  readonly singlePathBound: () => number

  constructor(leg: FailingLeg, task: LegTask, amount: Amount) {
    super('NO_SWAP_ROUTES_FOUND', `No swap route found (${placeOf(leg, task)}).`)
    this.maxSinglePathOutput = () => legMaxSinglePathOutput(task)
    this.singlePathBound = () => legSinglePathBound(task)
    this.explain = () => {
      const limit = legLimit(task, 'exactOutput')
      const isLimited = fitsWithoutLimits(task, 'exactOutput', amount)
      return new NoRouteError(leg, task, { mode: 'exactOutput', amount, limit, isLimited })
    }
  }
}

/** A failure with its details. */
export const explained = (failure: AppError): AppError =>
  failure instanceof NoOutputError ? failure.explain() : failure

/** Whether the pools could swap `amount` without the limits that the order sets. */
function fitsWithoutLimits(task: LegTask, mode: SwapMode, amount: Amount): boolean {
  if (task.limits === withoutLimits) return false
  const limit = legLimit({ ...task, limits: withoutLimits }, mode)
  return limit !== undefined && limit >= amount
}

/** The pools of one chain do not connect two currencies, or not with enough liquidity. */
class NoRouteError extends AppError {
  constructor(
    leg: FailingLeg,
    task: LegTask,
    swap: Readonly<{
      mode: SwapMode
      amount: Amount
      /** The largest amount that works; `undefined` if no path connects the two. */
      limit: Amount | undefined
      /** Whether the limits of the order are the reason. */
      isLimited: boolean
    }>,
  ) {
    const { input, output, limits } = task
    const { mode, amount, limit, isLimited } = swap
    const given = mode === 'exactInput' ? input : output
    const reason =
      limit === undefined
        ? `no pools connect the two${within(limits)}`
        : `the pools are too shallow for ${describeAmount(amount, given)}${isLimited ? within(limits) : ''}; the largest amount that works is ${mode === 'exactOutput' ? 'about ' : ''}${describeAmount(limit, given)}`
    const remedy = isLimited ? ` A route exists without ${namesOf(limits).join(' and ')}.` : ''
    super(
      'NO_SWAP_ROUTES_FOUND',
      `No swap route found (${placeOf(leg, task)}): ${reason}.${remedy}`,
      {
        leg,
        chainId: input.chainId,
        inputCurrency: input.address,
        outputCurrency: output.address,
        ...(limit !== undefined && maxAmountData(limit, given)),
        ...(isLimited && { limitedBy: namesOf(limits) }),
      },
    )
  }
}

const placeOf = (leg: FailingLeg, { input, output }: LegTask): string =>
  `${leg} leg: chain ${input.chainId}, ${input.symbol} to ${output.symbol}`

function within({ maxHops = defaultMaxHops, allowsPool }: RouteLimits): string {
  const hops = ` within ${maxHops} ${maxHops === 1 ? 'hop' : 'hops'}`
  return allowsPool === undefined ? hops : `${hops} through the included swap sources`
}

const namesOf = ({ maxHops, allowsPool }: RouteLimits): string[] => [
  ...(maxHops === undefined ? [] : ['maxRouteLength']),
  ...(allowsPool === undefined ? [] : ['the lists of swap sources']),
]

/** The input is worth less than a single unit of the output. */
export class OutputTooLowError extends AppError {
  constructor(output: Currency) {
    super('AMOUNT_TOO_LOW', `The amount is worth less than the smallest unit of ${output.symbol}.`)
  }
}
