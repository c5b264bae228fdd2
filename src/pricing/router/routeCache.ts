import type { Side } from './execute/executePath.ts'
import type { PoolGraph } from './graph.ts'
import type { Task } from './search/routeTask.ts'
import type { Plan } from './split/planRoute.ts'

/** By graph and task: graphs never change, so a plan that was made on one stays as good. */
const known = new WeakMap<PoolGraph, Map<string, readonly Plan[]>>()

/** How many a graph keeps: some kilobytes each. All go when there are more, which costs one plan each. */
const mostRemembered = 2_000

/** What `make` plans on `graph` for `task` and the amount planned, made once. */
export function rememberedPlans(
  graph: PoolGraph,
  { given }: Side,
  task: Task,
  planned: bigint,
  make: () => readonly Plan[],
): readonly Plan[] {
  const plans = known.get(graph) ?? new Map<string, readonly Plan[]>()
  known.set(graph, plans)
  const key = `${given} ${planned} ${Object.values(task).join(' ')}`
  const before = plans.get(key)
  if (before !== undefined) return before
  if (plans.size >= mostRemembered) plans.clear()
  const made = make()
  plans.set(key, made)
  return made
}
