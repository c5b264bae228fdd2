import { rateOf, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { mostOutput } from '#src/pricing/router/search/maxOutput.ts'
import type { Task } from '#src/pricing/router/search/routeTask.ts'
import {
  createBackwardSearch,
  createPathSearch,
  type EdgePath,
  type PathFinder,
  withoutGas,
} from '#src/pricing/router/search/searchPaths.ts'
import { pathsForInput, pathsForOutput } from '#src/pricing/router/search/singlePaths.ts'
import {
  endWithLargest,
  type Flow,
  marginalRate,
  outputsOf,
  runFlow,
  scaleFlow,
  totalInput,
} from './flow.ts'
import { type Balance, rebalance, tolerance } from './rebalance.ts'
import { spreadFlow } from './spreadFlow.ts'
import { trimFlow } from './trimFlow.ts'

/** Which paths to use, and how much of the given amount for each, in proportion. */
export type Plan = Readonly<{ paths: readonly EdgePath[]; shares: Float64Array }>

/** Plans to swap `amountIn`, the most promising first. Gas is priced in units of the output. */
export function planInput(trial: Trial, task: Task, amountIn: number): Plan[] {
  const finder = createPathSearch(trial, task)
  const singles = pathsForInput(trial, finder, amountIn, task.gasPrice)
  const [best] = singles
  if (best === undefined) return []
  const { flow } = optimise(trial, task, finder, along(best.edges, amountIn))
  const spread = flow.paths.length > 1 ? [{ paths: flow.paths, shares: flow.inputs }] : []
  return [...spread, ...singles.map(({ edges }) => alone(edges))]
}

/** Plans to buy `amountOut`, the most promising first. Gas is priced in units of the input. */
export function planOutput(trial: Trial, task: Task, amountOut: number): Plan[] {
  const forwards = createPathSearch(trial, task)
  const backwards = createBackwardSearch(trial, task)
  const singles = pathsForOutput(trial, backwards, amountOut, task.gasPrice)
  const [best] = singles
  if (best === undefined && mostOutput(trial, task) < amountOut) return []
  const start =
    best === undefined ? guessInput(trial, forwards, amountOut) : along(best.edges, best.amount)
  if (start === undefined) return []
  const gasPrice = (task.gasPrice * amountOut) / totalInput(start)
  const flow = spreadToOutput(trial, { ...task, gasPrice }, forwards, start, amountOut)
  const spread =
    flow === undefined || flow.paths.length === 1
      ? []
      : [{ paths: flow.paths, shares: outputsOf(trial, flow) }]
  return [...spread, ...singles.map(({ edges }) => alone(edges))]
}

const along = (path: EdgePath, input: number): Flow => ({
  paths: [path],
  inputs: Float64Array.of(input),
})

const alone = (path: EdgePath): Plan => ({ paths: [path], shares: Float64Array.of(1) })

function optimise(trial: Trial, task: Task, finder: PathFinder, start: Flow): Balance {
  const spread = spreadFlow(trial, task, finder, start)
  const trimmed = task.gasPrice === 0 ? spread : trimFlow(trial, task, spread)
  // The last path takes what the plan leaves: least noticed by the largest. But the order matters too.
  const ended = rebalance(trial, endWithLargest(trimmed.flow))
  if (ended.output >= trimmed.output * (1 - tolerance)) return ended
  runFlow(trial, trimmed.flow)
  return trimmed
}

/** For an output that no single path can give: what the path with the best rate would take at that rate. */
function guessInput(trial: Trial, finder: PathFinder, amountOut: number): Flow | undefined {
  finder.look()
  const [best] = finder.findPaths({
    atStart: 1,
    carry: (edge, score) => score * rateOf(trial, edge),
    ...withoutGas,
    least: 0,
    most: 1,
  })
  return best && along(best.edges, amountOut / best.score)
}

const mostAdjustments = 40

/** The best flow that gives `amountOut`; undefined where none seems to give that much. */
function spreadToOutput(
  trial: Trial,
  task: Task,
  finder: PathFinder,
  start: Flow,
  amountOut: number,
): Flow | undefined {
  let balance = optimise(trial, task, finder, start)
  let before = 0
  let vain = 0
  for (let i = 0; i < mostAdjustments; i++) {
    const { flow, output } = balance
    const deviation = Math.abs(amountOut - output) / amountOut
    if (deviation <= tolerance / 10) return flow
    const isShort = output < amountOut && before < amountOut
    vain = isShort && output - before < (amountOut - output) * leastGain ? vain + 1 : 0
    if (vain === mostVain) return undefined
    before = output
    const adjusted = scaleFlow(flow, inputToReach(amountOut, balance, marginalRate(trial, flow)))
    balance =
      deviation > wide ? optimise(trial, task, finder, adjusted) : rebalance(trial, adjusted)
  }
  return undefined
}

/**
 * The share of what is lacking that an adjustment should gain. Short of what a constant product holds, four times
 * the input gains three quarters of it; where so many in a row gain next to nothing, there is no more.
 */
const leastGain = 1e-3
const mostVain = 3

/** A deviation from the output wanted after which other paths may be the best. */
const wide = 1e-3

/**
 * The input at which a constant product would give `amountOut` that has the same output and the same rate
 * at the present input.
 */
function inputToReach(amountOut: number, { flow, output }: Balance, rate: number): number {
  const input = totalInput(flow)
  const steepness = (rate * input) / output
  const denominator = output - (1 - steepness) * amountOut
  const reached = (input * steepness * amountOut) / denominator
  return denominator > 0 ? Math.min(4 * input, Math.max(input / 4, reached)) : 4 * input
}
