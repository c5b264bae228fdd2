import type { Amount } from '#src/units/amount.ts'
import type { Side } from './execute/executePath.ts'
import type { PoolGraph } from './graph.ts'
import type { Task } from './search/routeTask.ts'

/** By graph and task: graphs never change, so neither do their limits. */
const known = new WeakMap<PoolGraph, Map<string, Amount | undefined>>()

/** As many as there are pairs that anyone asks too much of. All go when there are more. */
const mostRemembered = 2_000

/** What `make` finds to be the most that fits on `graph`, found once: who is refused wants to know it too. */
export function rememberedLimit(
  graph: PoolGraph,
  { given }: Side,
  { input, output, maxHops, maxPaths }: Task,
  make: () => Amount | undefined,
): Amount | undefined {
  const limits = known.get(graph) ?? new Map<string, Amount | undefined>()
  known.set(graph, limits)
  const key = [given, input, output, maxHops, maxPaths].join(' ')
  if (limits.has(key)) return limits.get(key)
  if (limits.size >= mostRemembered) limits.clear()
  const limit = make()
  limits.set(key, limit)
  return limit
}
