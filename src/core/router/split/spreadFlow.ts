import { edgeSize, reserveIn } from '#src/core/pools/virtualReserves.ts'
import { reverseEdge } from '#src/core/router/graph.ts'
import {
  closeUsed,
  hasWork,
  outputFor,
  type PoolSimulation,
  rateOf,
} from '#src/core/router/pools/poolSimulation.ts'
import {
  type EdgePath,
  edgePathGas,
  minStepGas,
  type PathFinder,
  pathGasUnits,
  type RouteTask,
  withoutDiscount,
} from '#src/core/router/search/searchPaths.ts'
import type { Steps } from '#src/core/steps.ts'
import { type Flow, marginalRate, narrowFlow, totalInput, widenFlow } from './flow.ts'
import { type FlowResult, rebalance, tolerance } from './rebalance.ts'

const defaultMaxRounds = 40
const maxPathsFound = 24
const maxPathsAdded = 12
/** Paths with a smaller share of the input are dropped. */
const minShare = 1e-7
/**
 * Shares of the input that the search for new paths tries: the first, then each times `nextProbe`, down to the last.
 */
const firstProbe = 1 / 16
const nextProbe = 1 / 16
const lastProbe = 1e-5

type SpreadOptions = Readonly<{
  /** Closes the edges that a path of the flow excludes. */
  close?: typeof closeUsed
  maxRounds?: number
}>

/**
 * Adds paths to a flow while they gain more than their gas. At the best split between given paths, every path with a
 * better marginal rate is worth adding; if there is none, no split between any paths gives more. Paths with the
 * largest gain come first.
 * @param finder finds paths from the input to the output of the task.
 */
export function* spreadFlow(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  start: Flow,
  { close = closeUsed, maxRounds = defaultMaxRounds }: SpreadOptions = {},
): Steps<FlowResult> {
  const closed = simulation.closed.slice()
  let best = rebalance(simulation, start)
  let probe = firstProbe
  for (let round = 0; round < maxRounds && hasWork(simulation); round++) {
    yield
    const found = findPathsToAdd(simulation, task, finder, best, { probe, close })
    simulation.closed.set(closed)
    if (found === undefined) break
    // One step per round is enough: the next round starts with another one.
    const wider = rebalance(simulation, widenFlow(best.flow, found.paths), tolerance / 10, 1)
    const next = dropUnused(simulation, task, wider)
    const gain = next.output - best.output
    if (gain > 0) best = next
    if (gain > best.output * tolerance) probe = found.probe
    else if (found.isLast) break
    else probe = found.probe * nextProbe
  }
  return rebalance(simulation, best.flow, tolerance / 10)
}

/** Drops paths that carry next to nothing, and the smallest paths above `maxPaths`. */
function dropUnused(
  simulation: PoolSimulation,
  { maxPaths }: RouteTask,
  { flow, output }: FlowResult,
): FlowResult {
  const { inputs } = flow
  const largestFirst = [...inputs.keys()].sort(
    (one, other) => (inputs[other] as number) - (inputs[one] as number),
  )
  const minInput = totalInput(flow) * minShare
  const kept = largestFirst
    .slice(0, maxPaths)
    .filter((path) => (inputs[path] as number) >= minInput)
  if (kept.length === inputs.length) return { flow, output }
  const narrower = narrowFlow(flow, (path) => kept.includes(path))
  return rebalance(simulation, narrower)
}

/** The first share of the input to try, and the function that closes the edges that a path excludes. */
type Probing = Readonly<{ probe: number; close: typeof closeUsed }>

/** `isLast`: a smaller probe finds no path that would carry enough. */
type Found = Readonly<{ paths: readonly EdgePath[]; probe: number; isLast: boolean }>

/**
 * Paths with a better marginal rate, and the probe that found them. Closes the edges that the paths of the flow
 * exclude.
 */
function findPathsToAdd(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  result: FlowResult,
  { probe: firstProbe, close }: Probing,
): Found | undefined {
  const { flow, output } = result
  flow.paths.forEach((path) => {
    close(simulation, path)
  })
  // If the last unit buys nothing, every path is better: a minimum rate keeps the comparison meaningful.
  const minRate = (minShare * output) / totalInput(flow)
  const rate = Math.max(marginalRate(simulation, flow), minRate)
  const total = totalInput(flow)
  const maxRate = finder.renewBounds(flow.paths)
  const minInput = Math.max(worthwhileInput(task, rate, maxRate), crowdedInput(task, flow))
  if (minInput >= total) return undefined
  for (let probe = firstProbe; hasWork(simulation) && probe >= lastProbe; probe *= nextProbe) {
    const isLast = probe * total <= minInput
    const paths = choosePaths(simulation, task, finder, result, rate, { probe, close })
    if (paths.length > 0) return { paths, probe, isLast }
    if (isLast) return undefined
  }
  return undefined
}

/**
 * Minimum input of a path that would be kept. If the flow has `maxPaths` paths, it is the input of the smallest one.
 */
const crowdedInput = ({ maxPaths }: RouteTask, { paths, inputs }: Flow): number =>
  paths.length < maxPaths ? 0 : Math.min(...inputs)

/**
 * The smallest input with which a new path can gain more than its gas, if its marginal rate is at most `maxRate`. Its
 * gain is estimated as in `gainOf`.
 */
function worthwhileInput({ gasPrice }: RouteTask, rate: number, maxRate: number): number {
  if (maxRate <= rate) return Number.POSITIVE_INFINITY
  const gainPerInput = rate * (Math.sqrt(maxRate / rate) - 1)
  return (gasPrice * (pathGasUnits + minStepGas)) / gainPerInput
}

/** The best of the paths that gain more than their gas costs. */
function choosePaths(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  { flow, output }: FlowResult,
  rate: number,
  { probe, close }: Probing,
): EdgePath[] {
  const amount = totalInput(flow) * probe
  const candidates = finder
    .findPaths({
      startScore: amount,
      nextScore: (edge, amountIn) => outputFor(simulation, edge, amountIn),
      ...withoutDiscount,
      minValue: rate * amount,
      maxCount: maxPathsFound,
    })
    .map(({ edges }) => {
      const cost = task.gasPrice * edgePathGas(simulation, edges)
      return { edges, cost, gain: gainOf(simulation, edges, rate, totalInput(flow)) - cost }
    })
    .filter(({ gain }) => gain > output * tolerance)
    .sort((one, other) => other.gain - one.gain)
  const chosen: EdgePath[] = []
  for (const { edges, gain, cost } of candidates) {
    // The gains of several new paths together are smaller than their sum.
    if (chosen.length === maxPathsAdded || (chosen.length > 0 && gain < cost)) break
    const isKnown = flow.paths.some((path) => isSamePath(path, edges))
    if (isKnown || edges.some((edge) => simulation.closed[edge] === 1)) continue
    close(simulation, edges)
    chosen.push(edges)
  }
  return chosen
}

const isSamePath = (one: EdgePath, other: EdgePath): boolean =>
  one.length === other.length && one.every((edge, i) => edge === other[i])

/**
 * Estimated gain of a new path. Its marginal rate falls until it equals `rate`; 1 ÷ √rate rises linearly with the input
 * (see `equalizeMarginalRates`). Edges already in use do not count, because the new path takes its input from other
 * paths, at best from those over the same edges.
 */
function gainOf(simulation: PoolSimulation, path: EdgePath, rate: number, total: number): number {
  let sensitivity = 0
  let gain = 1
  for (const edge of path) {
    if (simulation.closed[reverseEdge(edge)] === 0)
      sensitivity += (2 * gain) / (simulation.reserves[edge * edgeSize + reserveIn] as number)
    gain *= rateOf(simulation, edge)
  }
  const excess = Math.sqrt(gain / rate) - 1
  return rate * excess * Math.min(total, (2 * excess) / sensitivity)
}
