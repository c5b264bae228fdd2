import type { Pool } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/poolKind.ts'
import { type PoolGraph, poolOfEdge } from '#src/core/router/graph.ts'
import { type OutputFor, untouchedOutputs } from '#src/core/router/pools/edgeCapacity.ts'
import {
  closeUsed,
  outputFor,
  type PoolSimulation,
  simulate,
  simulateSwap,
} from '#src/core/router/pools/poolSimulation.ts'
import type { Path } from '#src/core/router/route.ts'
import { maxPathOutputsTo } from '#src/core/router/search/outputBounds.ts'
import {
  createPathSearch,
  type EdgePath,
  type PathFinder,
  type RouteTask,
  withoutDiscount,
} from '#src/core/router/search/searchPaths.ts'
import type { Steps } from '#src/core/steps.ts'
import {
  fewUnits,
  type PoolStates,
  type SimulatedPath,
  simulateMax,
  simulatePath,
} from './simulateRoute.ts'

/** More than any path can take. */
const excessiveAmount = 2 ** 200
/** Maximum number of paths: half as many as a route may have. */
export const maxFilledPaths = 16
/** After a path that adds less than 1 / `minShare` of the amount, further paths add next to nothing. */
const minShare = 100n
/** Numbers of paths to search for, one attempt after the other. The widest path can nearly always be executed. */
const attempts = [1, 24]

type AllowsPool = ((pool: Pool) => boolean) | undefined

/**
 * Fills one path after another to about its limit, the path with the largest output first, until `maxAmount` is swapped. The
 * paths do not depend on `maxAmount`, so every amount below one that fits also fits.
 */
export const fillPaths = (
  graph: PoolGraph,
  mode: SwapMode,
  task: RouteTask,
  allowsPool: AllowsPool,
  maxAmount: bigint,
): Steps<Path[]> =>
  simulate(graph, allowsPool, function* (simulation) {
    const filling = startFilling(simulation, task)
    const states = new Map<number, Pool>()
    const paths: Path[] = []
    let rest = maxAmount
    while (rest > 0n && paths.length < Math.min(maxFilledPaths, task.maxPaths)) {
      yield
      const executed = fillOne(filling, states, mode, rest, maxAmount - rest)
      if (executed === undefined) break
      paths.push(executed.path)
      for (const [number, pool] of executed.changed) states.set(number, pool)
      const added = executed.path[givenAmount[mode]]
      rest -= added
      if (added * minShare < maxAmount - rest) break
    }
    return paths
  })

/**
 * The approximate maximum output of a single path, in a fraction of the time of `fillPaths`. No path of `fillPaths`
 * gives more than about this.
 */
export const widestPathOutput = (
  graph: PoolGraph,
  task: RouteTask,
  allowsPool: AllowsPool,
): Steps<number> =>
  simulate(graph, allowsPool, function* (simulation) {
    yield
    const [path] = findWide(startFilling(simulation, task), 1)
    return path?.score ?? 0
  })

type Filling = Readonly<{
  simulation: PoolSimulation
  finder: PathFinder
  /** Outputs of edges in the state of the graph. */
  untouched: OutputFor
  /** By currency: upper bound on the output of a path that continues from there. */
  widest: Float64Array
  /** Pools that are no longer in the state of the graph. */
  used: Set<number>
}>

const startFilling = (simulation: PoolSimulation, task: RouteTask): Filling => ({
  simulation,
  finder: createPathSearch(simulation, task),
  untouched: untouchedOutputs(simulation),
  widest: maxPathOutputsTo(simulation.graph, task.output, task.maxHops - 1),
  used: new Set(),
})

/** Allows for float rounding, so that the search also finds paths with the same output. */
const nearTie = 1 - 1e-9

/** The paths with the largest output, in descending order. */
function findWide({ simulation, finder, untouched, widest, used }: Filling, maxCount: number) {
  const { outputs } = simulation.graph.topology
  const startScore = excessiveAmount
  const nextScore: OutputFor = (edge, amount) =>
    used.has(poolOfEdge(edge)) ? outputFor(simulation, edge, amount) : untouched(edge, amount)
  const greedy = maxCount === 1 ? finder.findGreedyPath({ startScore, nextScore }) : undefined
  const minValue = (greedy?.score ?? 0) * nearTie
  return finder.findPaths({
    startScore,
    minValue,
    maxCount,
    nextScore: (edge, amount) =>
      (widest[outputs[edge] as number] as number) <= minValue ? 0 : nextScore(edge, amount),
    ...withoutDiscount,
  })
}

/**
 * Fills a path up to just below `maxOutput`, an estimate of its largest output. The exact one takes hundreds of swaps,
 * and its last units cost beyond measure. `undefined` if the estimate seems wrong, as with few units.
 */
function fillOutput(
  { graph }: PoolSimulation,
  states: PoolStates,
  edges: EdgePath,
  maxOutput: number,
  maxAmount: bigint,
): SimulatedPath | undefined {
  if (maxOutput < fewUnits) return undefined
  const almostFull = BigInt(Math.floor(maxOutput * almost))
  const amount = maxAmount < almostFull ? maxAmount : almostFull
  return simulatePath('exactOutput', graph, states, edges, amount)
}

const almost = 1 - 1e-4

/** Fills the widest path that can be executed. */
function fillOne(
  filling: Filling,
  states: PoolStates,
  mode: SwapMode,
  maxAmount: bigint,
  filled: bigint,
): SimulatedPath | undefined {
  const { simulation, used } = filling
  let tried = 0
  for (const maxCount of attempts) {
    const found = findWide(filling, maxCount)
    for (const { edges, score } of found.slice(tried)) {
      // What is left of a filled path costs beyond measure.
      if (mode === 'exactOutput' && score * Number(minShare) < Number(filled)) return undefined
      const executed =
        (mode === 'exactOutput' && fillOutput(simulation, states, edges, score, maxAmount)) ||
        simulateMax(mode, simulation.graph, states, edges, maxAmount)
      if (executed === undefined) continue
      executed.path.hops.forEach(({ amountIn }, hop) => {
        const edge = edges[hop] as number
        simulateSwap(simulation, edge, Number(amountIn))
        used.add(poolOfEdge(edge))
      })
      closeUsed(simulation, edges)
      return executed
    }
    tried = found.length
  }
  return undefined
}
