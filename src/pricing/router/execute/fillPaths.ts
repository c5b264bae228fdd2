import type { Pool } from '#src/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/pools/swapMode.ts'
import { type PoolGraph, updateGraph } from '#src/pricing/router/graph.ts'
import {
  createSimulation,
  edgeCapacity,
  outputFor,
  type PoolSimulation,
} from '#src/pricing/router/pools/poolSimulation.ts'
import { poolOfEdge } from '#src/pricing/router/pools/topology.ts'
import type { Path } from '#src/pricing/router/route.ts'
import type { RouteTask } from '#src/pricing/router/search/routeTask.ts'
import { createPathSearch, withoutDiscount } from '#src/pricing/router/search/searchPaths.ts'
import { type Executed, executeMax, type PoolStates } from './executePath.ts'

/** More than any path can take. */
const excessiveAmount = 2 ** 200
/** Further paths add next to nothing, and each costs milliseconds. */
const maxFilledPaths = 8
const maxAttempts = 24

/**
 * Fills one path after another to its limit, the path with the largest output first, until `atMost` is swapped. The
 * paths do not depend on `atMost`, so every amount below one that fits also fits.
 */
export function fillPaths(
  graph: PoolGraph,
  mode: SwapMode,
  task: RouteTask,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  atMost: bigint,
): Path[] {
  const paths: Path[] = []
  const states = new Map<number, Pool>()
  let rest = atMost
  while (rest > 0n && paths.length < Math.min(maxFilledPaths, task.maxPaths)) {
    const executed = fillOne(graph, states, mode, task, allowsPool, rest)
    if (executed === undefined) break
    paths.push(executed.path)
    for (const [number, pool] of executed.changed) states.set(number, pool)
    rest -= executed.path[givenAmount[mode]]
  }
  return paths
}

function fillOne(
  graph: PoolGraph,
  states: PoolStates,
  mode: SwapMode,
  task: RouteTask,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  atMost: bigint,
): Executed | undefined {
  const simulation = createSimulation(updateGraph(graph, [...states.values()]), allowsPool)
  const { findPaths } = createPathSearch(simulation, task)
  const found = findPaths({
    startScore: excessiveAmount,
    nextScore: createOutputFor(graph, simulation, states),
    ...withoutDiscount,
    minValue: 0,
    maxCount: maxAttempts,
  })
  for (const { edges } of found) {
    const executed = executeMax(mode, graph, states, edges, atMost)
    if (executed !== undefined) return executed
  }
  return undefined
}

/** By graph and edge. The search offers most edges far more than they can take. */
const edgeCapacities = new WeakMap<PoolGraph, Map<number, ReturnType<typeof edgeCapacity>>>()

/** Like `outputFor`, but walks through all ranges of an exhausted pool only once. */
function createOutputFor(graph: PoolGraph, simulation: PoolSimulation, states: PoolStates) {
  const capacities = edgeCapacities.get(graph) ?? new Map<number, ReturnType<typeof edgeCapacity>>()
  edgeCapacities.set(graph, capacities)
  const changed = new Map<number, ReturnType<typeof edgeCapacity>>()
  return (edge: number, amount: number): number => {
    const cache = states.has(poolOfEdge(edge)) ? changed : capacities
    const limit = cache.get(edge) ?? edgeCapacity(simulation, edge)
    cache.set(edge, limit)
    return amount >= limit.amountIn ? limit.amountOut : outputFor(simulation, edge, amount)
  }
}
