import type { Pool } from '#src/pools/pool.ts'
import { type PoolGraph, updateGraph } from '#src/pricing/router/graph.ts'
import {
  createTrial,
  outputFor,
  type Trial,
  wholeOf,
} from '#src/pricing/router/pools/poolSimulation.ts'
import { poolOfEdge } from '#src/pricing/router/pools/topology.ts'
import type { Path } from '#src/pricing/router/route.ts'
import type { Task } from '#src/pricing/router/search/routeTask.ts'
import { createPathSearch, withoutGas } from '#src/pricing/router/search/searchPaths.ts'
import { type Executed, executeMost, type PoolStates, type Side } from './executePath.ts'

/** More than fits any path. */
const flood = 2 ** 200
/** Paths after these add next to nothing, and each takes its milliseconds. */
const mostPaths = 8
const mostTries = 24

/**
 * Fills path after path to the brim, those first that can give the most, until `atMost` is swapped. Which paths
 * these are does not depend on `atMost`; so what fits at all also fits when it is less.
 */
export function fillPaths(
  graph: PoolGraph,
  side: Side,
  task: Task,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  atMost: bigint,
): Path[] {
  const paths: Path[] = []
  let states: PoolStates = new Map()
  let rest = atMost
  while (rest > 0n && paths.length < Math.min(mostPaths, task.maxPaths)) {
    const executed = fillOne(graph, states, side, task, allowsPool, rest)
    if (executed === undefined) break
    paths.push(executed.path)
    states = executed.states
    rest -= executed.path[side.given]
  }
  return paths
}

function fillOne(
  graph: PoolGraph,
  states: PoolStates,
  side: Side,
  task: Task,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  atMost: bigint,
): Executed | undefined {
  const trial = createTrial(updateGraph(graph, [...states.values()]), allowsPool)
  const { look, findPaths } = createPathSearch(trial, task)
  look()
  const found = findPaths({
    atStart: flood,
    carry: createCarry(graph, trial, states),
    ...withoutGas,
    least: 0,
    most: mostTries,
  })
  for (const { edges } of found) {
    const executed = executeMost(side, graph, states, edges, atMost)
    if (executed !== undefined) return executed
  }
  return undefined
}

/** By graph and edge: what it takes in all, and what that buys. Most edges are offered far more than they take. */
const known = new WeakMap<PoolGraph, Map<number, ReturnType<typeof wholeOf>>>()

/** `outputFor`, without a walk through all ranges of a pool each time that it is run dry. */
function createCarry(graph: PoolGraph, trial: Trial, states: PoolStates) {
  const wholes = known.get(graph) ?? new Map<number, ReturnType<typeof wholeOf>>()
  known.set(graph, wholes)
  const changed = new Map<number, ReturnType<typeof wholeOf>>()
  return (edge: number, amount: number): number => {
    const memory = states.has(poolOfEdge(edge)) ? changed : wholes
    const whole = memory.get(edge) ?? wholeOf(trial, edge)
    memory.set(edge, whole)
    return amount >= whole.takes ? whole.gives : outputFor(trial, edge, amount)
  }
}
