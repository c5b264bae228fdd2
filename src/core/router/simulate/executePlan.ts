import type { Pool } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/swapMode.ts'
import type { PoolGraph } from '#src/core/router/graph.ts'
import type { Path } from '#src/core/router/route.ts'
import type { EdgePath } from '#src/core/router/search/searchPaths.ts'
import type { Plan } from '#src/core/router/split/planRoute.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { executeMax, executePath } from './executePath.ts'

/**
 * Executes a plan for `amount`, to the unit. An amount that does not fit a path moves to the next path. `undefined` if
 * the last path cannot take the rest.
 * @param planned the amount that the shares divide, at most `amount`. The last path also takes the difference. So for
 * all amounts that share one plan, more input never gives less output.
 */
export function executePlan(
  graph: PoolGraph,
  mode: SwapMode,
  plan: Plan,
  amount: bigint,
  planned: bigint,
): Path[] | undefined {
  const given = givenAmount[mode]
  const paths: Path[] = []
  const parts = partsOf(plan, planned)
  const states = new Map<number, Pool>()
  let rest = amount
  let due = 0n
  for (const [i, { edges, part }] of parts.entries()) {
    const isLast = i === parts.length - 1
    due = isLast ? rest : due + part
    if (due === 0n) continue
    const executed =
      executePath(mode, graph, states, edges, toAmount(due)) ??
      (isLast ? undefined : executeMax(mode, graph, states, edges, due))
    if (executed === undefined) continue
    paths.push(executed.path)
    for (const [number, pool] of executed.changed) states.set(number, pool)
    due -= executed.path[given]
    rest -= executed.path[given]
  }
  return rest === 0n ? paths : undefined
}

type Part = Readonly<{ edges: EdgePath; part: bigint }>

/** Shares are rounded to 1/2^53; parts are rounded down to the unit, and together are at most `planned`. */
function partsOf({ paths, shares }: Plan, planned: bigint): Part[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let rest = planned
  return paths.map((edges, path) => {
    const share = BigInt(Math.round(((shares[path] as number) / whole) * 2 ** 53))
    const part = (planned * share) >> 53n
    const fitting = part < rest ? part : rest
    rest -= fitting
    return { edges, part: fitting }
  })
}
