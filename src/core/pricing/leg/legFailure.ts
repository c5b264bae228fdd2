import { AppError } from '#src/core/errors.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { fewUnits } from '#src/core/router/simulate/simulateRoute.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, describeAmount, maxAmountData } from '#src/core/units/currency.ts'
import {
  type LegSwap,
  type LegTask,
  legLimit,
  legMaxSinglePathOutput,
  legSinglePathBound,
  maxRatesTo,
  type RouteLimits,
  swapLeg,
  withoutLimits,
} from './leg.ts'

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
        : `the pools are too shallow for ${describeAmount(amount, given)}${isLimited ? within(limits) : ''}; the largest amount that works is ${describeAmount(limit, given)}`
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

/** The hop limit of routes whose order sets none. */
const defaultMaxHops = 4

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
