import type { PoolGraph } from '#src/pricing/router/graph.ts'
import type { Path } from '#src/pricing/router/route.ts'
import type { EdgePath } from '#src/pricing/router/search/searchPaths.ts'
import type { Plan } from '#src/pricing/router/split/planRoute.ts'
import { toAmount } from '#src/units/amount.ts'
import { executeMost, type PoolStates, type Side } from './executePath.ts'

/**
 * Swaps `amount` as planned, to the unit. What does not fit a path is left to the next. Undefined where the last path cannot take what is left.
 * @param planned what the shares divide, up to `amount`. The last path takes the difference as well: with
 * one plan for several amounts, more in never gives less out.
 */
export function executePlan(
  graph: PoolGraph,
  side: Side,
  plan: Plan,
  amount: bigint,
  planned: bigint,
): Path[] | undefined {
  const paths: Path[] = []
  const parts = partsOf(plan, planned)
  let states: PoolStates = new Map()
  let rest = amount
  let due = 0n
  for (const [i, { edges, part }] of parts.entries()) {
    const isLast = i === parts.length - 1
    due = isLast ? rest : due + part
    if (due === 0n) continue
    const executed =
      side.execute(graph, states, edges, toAmount(due)) ??
      (isLast ? undefined : executeMost(side, graph, states, edges, due))
    if (executed === undefined) continue
    paths.push(executed.path)
    states = executed.states
    due -= executed.path[side.given]
    rest -= executed.path[side.given]
  }
  return rest === 0n ? paths : undefined
}

type Part = Readonly<{ edges: EdgePath; part: bigint }>

/** Shares are rounded to a 2^53rd, and parts down to the unit. */
function partsOf({ paths, shares }: Plan, planned: bigint): Part[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  return paths.map((edges, path) => {
    const share = BigInt(Math.round(((shares[path] as number) / whole) * 2 ** 53))
    return { edges, part: (planned * share) >> 53n }
  })
}
