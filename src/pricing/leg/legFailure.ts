import { AppError } from '#src/errors.ts'
import type { SwapMode } from '#src/pools/swapMode.ts'
import type { Amount } from '#src/units/amount.ts'
import { describeAmount } from '#src/units/currency.ts'
import { type LegTask, legLimit } from './leg.ts'
import { OutputTooLowError } from './outputTooLowError.ts'
import { type RouteLimits, withoutLimits } from './routeLimits.ts'

type FailingLeg = 'origin' | 'destination'

/** The reason why `swapLeg` has no route for `amount`. */
export function legFailure(
  leg: FailingLeg,
  task: LegTask,
  mode: SwapMode,
  amount: Amount,
): AppError {
  const limit = legLimit(task, mode)
  if (mode === 'exactInput' && limit !== undefined && limit >= amount)
    return new OutputTooLowError(task.output)
  const isLimited = fitsWithoutLimits(task, mode, amount)
  return new NoRouteError(leg, task, { mode, amount, limit, isLimited })
}

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
    { input, output, limits }: LegTask,
    swap: Readonly<{
      mode: SwapMode
      amount: Amount
      /** The largest amount that works; `undefined` if no path connects the two. */
      limit: Amount | undefined
      /** Whether the limits of the order are the reason. */
      isLimited: boolean
    }>,
  ) {
    const { mode, amount, limit, isLimited } = swap
    const given = mode === 'exactInput' ? input : output
    const where = `${leg} leg: chain ${input.chainId}, ${input.symbol} to ${output.symbol}`
    const reason =
      limit === undefined
        ? `no pools connect the two${within(limits)}`
        : `the pools are too shallow for ${describeAmount(amount, given)}${isLimited ? within(limits) : ''}; the largest amount that works is ${describeAmount(limit, given)}`
    const remedy = isLimited ? ` A route exists without ${namesOf(limits).join(' and ')}.` : ''
    super('NO_SWAP_ROUTES_FOUND', `No swap route found (${where}): ${reason}.${remedy}`, {
      leg,
      chainId: input.chainId,
      inputCurrency: input.address,
      outputCurrency: output.address,
      ...(limit !== undefined && { largestAmount: limit.toString() }),
      ...(isLimited && { limitedBy: namesOf(limits) }),
    })
  }
}

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
