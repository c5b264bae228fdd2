import { poolOfEdge } from '#src/core/router/graph.ts'
import {
  closeReverse,
  closeUsed,
  outputFor,
  type PoolSimulation,
} from '#src/core/router/pools/poolSimulation.ts'
import { canPayOut, maxRouteOutput } from '#src/core/router/search/outputBounds.ts'
import { ratesTo } from '#src/core/router/search/rateTables.ts'
import {
  createBackwardSearch,
  createPathSearch,
  type EdgePath,
  type PathFinder,
  type RouteTask,
  withoutDiscount,
} from '#src/core/router/search/searchPaths.ts'
import {
  pathsForInput,
  pathsForOutput,
  type SinglePath,
} from '#src/core/router/search/singlePaths.ts'
import type { Steps } from '#src/core/steps.ts'
import {
  endWithLargest,
  type Flow,
  marginalRate,
  narrowFlow,
  outputsOf,
  resetFlow,
  scaleFlow,
  simulateFlow,
  totalInput,
} from './flow.ts'
import { type FlowResult, rebalance, tolerance } from './rebalance.ts'
import { spreadFlow } from './spreadFlow.ts'
import { dropBeyondGas, flowGas, trimFlow } from './trimFlow.ts'

export type Plan = Readonly<{
  paths: readonly EdgePath[]
  /** Each path's share of the given amount. */
  shares: Float64Array
  /** Estimates of the output, or of the input for an exact output, and of the gas. */
  amount: number
  gas: number
}>

/** Plans to swap `amountIn`, the most promising first. The gas price is in raw units of the output. */
export function* planInput(
  simulation: PoolSimulation,
  task: RouteTask,
  amountIn: number,
): Steps<Plan[]> {
  const finder = createPathSearch(simulation, task)
  const singles = pathsForInput(simulation, finder, amountIn, task.gasPrice)
  const [best] = singles
  if (best === undefined) return []
  const { flow, output } = yield* optimizeFlow(
    simulation,
    task,
    finder,
    singlePathFlow(best.edges, amountIn),
  )
  const gas = flowGas(simulation, flow)
  const spread = { paths: flow.paths, shares: flow.inputs, amount: output, gas }
  return [...(flow.paths.length > 1 ? [spread] : []), ...singles.map(singlePathPlan)]
}

/**
 * Plans to buy `amountOut`, the most promising first. The gas price is in raw units of the input.
 * @param isHopeless whether no split can give that much. It takes long, so it is asked only if no single path does.
 */
export function* planOutput(
  simulation: PoolSimulation,
  task: RouteTask,
  amountOut: number,
  isHopeless: () => Steps<boolean>,
): Steps<Plan[]> {
  if (!canPayOut(simulation, task.output, amountOut)) return []
  const forwards = createPathSearch(simulation, task)
  const backwards = createBackwardSearch(simulation, task)
  const singles = pathsForOutput(simulation, backwards, amountOut, task.gasPrice)
  yield
  const [best] = singles
  if (best === undefined) {
    if (maxRouteOutput(simulation, task) < amountOut || (yield* isHopeless())) return []
  }
  const start =
    best === undefined
      ? guessInput(simulation, forwards, amountOut)
      : singlePathFlow(best.edges, best.amount)
  if (start === undefined) return []
  const gasPrice = (task.gasPrice * amountOut) / totalInput(start)
  const flow = yield* spreadToOutput(simulation, { ...task, gasPrice }, forwards, start, amountOut)
  const isSpread = flow !== undefined && flow.paths.length > 1
  return [...(isSpread ? [outputPlan(simulation, flow)] : []), ...singles.map(singlePathPlan)]
}

const singlePathFlow = (path: EdgePath, input: number): Flow => ({
  paths: [path],
  inputs: Float64Array.of(input),
})

const singlePathPlan = ({ edges, amount, gas }: SinglePath): Plan => ({
  paths: [edges],
  shares: Float64Array.of(1),
  amount,
  gas,
})

function outputPlan(simulation: PoolSimulation, flow: Flow): Plan {
  const shares = outputsOf(simulation, flow)
  return { paths: flow.paths, shares, amount: totalInput(flow), gas: flowGas(simulation, flow) }
}

function* optimizeFlow(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  start: Flow,
): Steps<FlowResult> {
  const trimmed = yield* bestFlow(simulation, task, finder, start)
  // Exact execution gives the rest to the last path; the largest path absorbs it best. But the order matters too.
  const ended = rebalance(simulation, endWithLargest(trimmed.flow))
  if (ended.output >= trimmed.output * (1 - tolerance)) return ended
  simulateFlow(simulation, trimmed.flow)
  return trimmed
}

/**
 * The best of up to three flows after gas: the first one, with longer paths, and with other paths in the pools whose
 * fees move.
 */
function* bestFlow(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  start: Flow,
): Steps<FlowResult> {
  const netOf = ({ flow, output }: FlowResult) => output - task.gasPrice * flowGas(simulation, flow)
  const spread = yield* spreadFlow(simulation, task, finder, start)
  let best = yield* trimFlow(simulation, task, spread)
  let bestNet = netOf(best)
  const changes = [
    () => addLongerPaths(simulation, task, best),
    () => reassignPools(simulation, task, finder, best),
  ]
  for (const change of changes) {
    const changed = yield* change()
    if (changed === undefined) continue
    const other = yield* trimFlow(simulation, task, changed)
    const otherNet = netOf(other)
    resetFlow(simulation, other.flow)
    if (otherNet <= bestNet) continue
    best = other
    bestNet = otherNet
  }
  return best
}

/** Too small to move any price. */
const marginalInput = 2 ** -200

/** A first guess for an output that no single path can give: the input of the path with the best rate, at that rate. */
function guessInput(
  simulation: PoolSimulation,
  finder: PathFinder,
  amountOut: number,
): Flow | undefined {
  const [best] = finder.findPaths({
    startScore: marginalInput,
    nextScore: (edge, amountIn) => outputFor(simulation, edge, amountIn),
    ...withoutDiscount,
    minValue: 0,
    maxCount: 1,
  })
  return best && singlePathFlow(best.edges, (amountOut / best.score) * marginalInput)
}

const maxAdjustments = 40
/** Searches for the best flow at an input close to the right one. Near the end of the pools they may not settle. */
const maxOptimized = 4

/** The best flow that gives `amountOut`; `undefined` if none seems to give that much. */
function* spreadToOutput(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  start: Flow,
  amountOut: number,
): Steps<Flow | undefined> {
  let result = yield* spreadRoughly(simulation, task, finder, start)
  let optimized = 0
  let previousOutput = 0
  let stalls = 0
  let wasUnreachable = false
  for (let i = 0; i < maxAdjustments; i++) {
    const { flow, output } = result
    const deviation = Math.abs(amountOut - output) / amountOut
    if (optimized > 0 && deviation <= tolerance / 10) return flow
    const isShort = output < amountOut && previousOutput < amountOut
    const rate = marginalRate(simulation, flow)
    stalls = isShort && output - previousOutput < (amountOut - output) * minGain ? stalls + 1 : 0
    const reachable = isShort ? maxOutputOf(result, rate) / amountOut : 1
    const isHopeless = stalls === maxStalls || reachable < (wasUnreachable ? 1 : minReachable)
    if (isHopeless && optimized > 0) return undefined
    wasUnreachable = reachable < 1
    previousOutput = output
    const adjusted = scaleFlow(flow, inputToReach(amountOut, result, rate))
    yield
    const isNear = deviation <= rough && (optimized === 0 || deviation > wide)
    if (isHopeless || (isNear && optimized < maxOptimized)) {
      optimized += 1
      result = yield* optimizeFlow(simulation, task, finder, adjusted)
    } else if (deviation > rough) result = yield* spreadRoughly(simulation, task, finder, adjusted)
    else result = rebalance(simulation, adjusted)
  }
  return undefined
}

/** Rounds of spreading while the input is far from the right one: more would find paths for another amount. */
const roughRounds = 3

function* spreadRoughly(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  start: Flow,
): Steps<FlowResult> {
  const options = { maxRounds: roughRounds }
  return dropBeyondGas(simulation, yield* spreadFlow(simulation, task, finder, start, options))
}

/**
 * The share of the missing output that an adjustment must gain. In a constant product, four times the input gains three
 * quarters of it. After `maxStalls` adjustments in a row with a smaller gain, the pools are exhausted.
 */
const minGain = 1e-3
const maxStalls = 3

/**
 * Minimum share of the output that a flow must be able to reach: below it, more paths do not help. The search also ends
 * if two flows in a row cannot reach the whole output.
 */
const minReachable = 0.8

/** Deviations from the wanted output after which other paths may be best, and after which the best ones are far away. */
const wide = 1e-3
const rough = 0.02

/** The whole output reserve of the constant product that has the same output and marginal rate at the current input. */
const maxOutputOf = ({ flow, output }: FlowResult, rate: number): number =>
  output / (1 - steepnessOf({ flow, output }, rate))

/** The marginal rate as a share of the mean rate. */
const steepnessOf = ({ flow, output }: FlowResult, rate: number): number =>
  (rate * totalInput(flow)) / output

/** The input for `amountOut` in that constant product, within a factor of four of the current input. */
function inputToReach(amountOut: number, result: FlowResult, rate: number): number {
  const input = totalInput(result.flow)
  const steepness = steepnessOf(result, rate)
  const denominator = result.output - (1 - steepness) * amountOut
  const reached = (input * steepness * amountOut) / denominator
  return denominator > 0 ? Math.min(4 * input, Math.max(input / 4, reached)) : 4 * input
}

/** Minimum price impact of a flow before longer paths are searched for, as a share of the output at the best rate. */
const minImpact = 0.02

/**
 * The flow, spread further over paths of up to `furtherHops` hops. That search doubles the time, so it runs only for
 * amounts that move the price. `undefined` if it finds no longer path.
 */
function* addLongerPaths(
  simulation: PoolSimulation,
  task: RouteTask,
  { flow, output }: FlowResult,
): Steps<FlowResult | undefined> {
  const { maxHops, furtherHops } = task
  const rate = ratesTo(simulation.graph, task.output, maxHops)[maxHops]?.[task.input] ?? 0
  if (furtherHops === maxHops || output >= totalInput(flow) * rate * (1 - minImpact))
    return undefined
  const finder = createPathSearch(simulation, { ...task, maxHops: furtherHops })
  const longer = yield* spreadFlow(simulation, task, finder, flow)
  if (longer.flow.paths.some((path) => path.length > maxHops)) return longer
  resetFlow(simulation, longer.flow)
  return undefined
}

/**
 * Another flow, which may give more if one path uses a pool whose fee moves and other paths could use it too. Such a
 * pool serves one path only, the first one that was found. That path is the best one for the whole input, but often not
 * for its part.
 *
 * The flow first spreads as if paths could share such pools. Then each of these pools goes to the path with the largest
 * input, and the rest spreads again without sharing. `undefined` if sharing would gain nothing.
 */
function* reassignPools(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  { flow, output }: FlowResult,
): Steps<FlowResult | undefined> {
  const { movingFees } = simulation.graph.topology
  if (movingFees === undefined || !flow.paths.some((path) => isAmong(path, movingFees)))
    return undefined
  const share = (start: Flow, maxRounds: number) =>
    spreadFlow(simulation, task, finder, start, { close: closeReverse, maxRounds })
  const probed = yield* share(flow, probingRounds)
  const isProbed = probed.output >= output * (1 + minSharingGain)
  const shared = isProbed ? yield* share(probed.flow, sharingRounds) : probed
  resetFlow(simulation, shared.flow)
  const assigned = isProbed ? assignPools(shared.flow, movingFees) : undefined
  if (assigned === undefined) return undefined
  return yield* spreadFlow(simulation, task, finder, assigned, { close: closeUsed })
}

/** Minimum gain of sharing in its first rounds, as a share of the output: a tenth of a basis point. */
const minSharingGain = 1e-5
const probingRounds = 2
const sharingRounds = 8

/** Whether a path uses one of the pools. */
const isAmong = (path: readonly number[], pools: Uint8Array): boolean =>
  path.some((edge) => pools[poolOfEdge(edge)] === 1)

/** The flow without the paths that share a pool with a larger one. `undefined` if none does. */
function assignPools(flow: Flow, movingFees: Uint8Array): Flow | undefined {
  const largestFirst = [...flow.paths.keys()].sort(
    (one, other) => (flow.inputs[other] as number) - (flow.inputs[one] as number),
  )
  const taken = new Uint8Array(movingFees.length)
  const kept = new Set<number>()
  for (const number of largestFirst) {
    const path = flow.paths[number] as readonly number[]
    if (isAmong(path, taken)) continue
    for (const edge of path) taken[poolOfEdge(edge)] = movingFees[poolOfEdge(edge)] as number
    kept.add(number)
  }
  return kept.size === flow.paths.length ? undefined : narrowFlow(flow, (path) => kept.has(path))
}
