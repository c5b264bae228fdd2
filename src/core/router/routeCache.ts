import type { SwapMode } from '#src/core/pools/swapMode.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { PoolGraph } from './graph.ts'
import type { RouteTask } from './search/routeTask.ts'
import type { Plan } from './split/planRoute.ts'

/** Values by key for each graph. Graphs are immutable, so the values stay valid as long as the graph is in use. */
type GraphCache<Value> = WeakMap<PoolGraph, Map<string, Value>>

const plansByGraph: GraphCache<readonly Plan[]> = new WeakMap()
const limitsByGraph: GraphCache<Amount | undefined> = new WeakMap()
const singlePathOutputsByGraph: GraphCache<number> = new WeakMap()

/** Entries per graph: a plan takes some kilobytes. A full cache is cleared, which costs one computation per entry. */
const maxEntries = 2_000

/** The plans for `task` and the `planned` amount; computed by `make` once per graph. */
export const cachedPlans = (
  graph: PoolGraph,
  mode: SwapMode,
  task: RouteTask,
  planned: bigint,
  make: () => readonly Plan[],
): readonly Plan[] =>
  cached(plansByGraph, graph, `${mode} ${planned} ${Object.values(task).join(' ')}`, make)

/** The largest amount for `task`; computed by `make` once per graph. Failed requests ask for it again and again. */
export const cachedLimit = (
  graph: PoolGraph,
  mode: SwapMode,
  { input, output, maxHops, maxPaths }: RouteTask,
  make: () => Amount | undefined,
): Amount | undefined =>
  cached(limitsByGraph, graph, [mode, input, output, maxHops, maxPaths].join(' '), make)

/** The approximate maximum output of a single path for `task`; computed by `make` once per graph. */
export const cachedSinglePathOutput = (
  graph: PoolGraph,
  { input, output, maxHops }: RouteTask,
  make: () => number,
): number => cached(singlePathOutputsByGraph, graph, `${input} ${output} ${maxHops}`, make)

function cached<Value>(
  cache: GraphCache<Value>,
  graph: PoolGraph,
  key: string,
  make: () => Value,
): Value {
  const values = cache.get(graph) ?? new Map<string, Value>()
  cache.set(graph, values)
  if (values.has(key)) return values.get(key) as Value
  if (values.size >= maxEntries) values.clear()
  const value = make()
  values.set(key, value)
  return value
}
