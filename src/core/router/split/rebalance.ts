import { hasWork, type PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { equalizeMarginalRates } from './equalizeMarginalRates.ts'
import { type Flow, simulateFlow } from './flow.ts'
import { sensitivityOfLast, type Trace, traceFlow } from './marginalRates.ts'

/** A flow and its output. */
export type FlowResult = Readonly<{ flow: Flow; output: number }>

/** The smallest gain worth computing, as a share of the output: a thousandth of a basis point. */
export const tolerance = 1e-7

const maxAttempts = 3
const minDamping = 1e-9
const firstDamping = 1e-7
/** The least damping after two steps that lost output. */
const strongDamping = 0.03

/**
 * Moves input between the paths of a flow until all used paths have the same marginal rate and no unused path has a
 * better one. Then no other split between these paths gives more. A path may end with no input. The simulation is left
 * in the state after the returned flow.
 *
 * A step that lost output has often entered another range of liquidity. So its rates correct the sensitivity of the
 * paths. Steps are also damped as in the Levenberg–Marquardt method: more after steps that lost output, less after one
 * that gained.
 * @param precision continues while a step gains more than this share of the output.
 * @param minOutput ends once this output seems out of reach: the later steps together hardly gain more than the last.
 */
export function rebalance(
  simulation: PoolSimulation,
  start: Flow,
  precision = tolerance,
  maxSteps = 8,
  minOutput = 0,
): FlowResult {
  if (start.paths.length === 1) return { flow: start, output: simulateFlow(simulation, start) }
  let best: Traced = { flow: start, damping: firstDamping, ...traceFlow(simulation, start) }
  for (let step = 0; step < maxSteps && hasWork(simulation); step++) {
    if (gapOf(best) <= precision * best.output) break
    const next = improve(simulation, best, precision)
    if (next === undefined) {
      simulateFlow(simulation, best.flow)
      break
    }
    const gain = next.output - best.output
    best = next
    if (gain <= precision * next.output || next.output + 4 * gain < minOutput) break
  }
  return { flow: best.flow, output: best.output }
}

/** A flow that has been traced, and the damping of its next step. */
type Traced = Trace & Readonly<{ flow: Flow; damping: number }>

/** Upper bound on what any other split can gain, because marginal rates only fall as input rises. */
function gapOf({ flow: { inputs }, rates }: Traced): number {
  let total = 0
  let gain = 0
  let max = 0
  for (let path = 0; path < inputs.length; path++) {
    const input = inputs[path] as number
    const rate = rates[path] as number
    total += input
    gain += input * rate
    if (rate > max) max = rate
  }
  return max * total - gain
}

/** The work of a system of linear equations, which grows with the cube of its size. */
const workOfSystem = (size: number): number => (size * size * size) >> 6

/**
 * The next step that gains output; `undefined` if there seems to be none.
 * @param from the flow that was traced last.
 */
function improve(simulation: PoolSimulation, from: Traced, precision: number): Traced | undefined {
  const { flow, output, rates, caps } = from
  const sensitivity = sensitivityOfLast(simulation, flow)
  let { damping } = from
  for (let attempt = 0; attempt < maxAttempts && hasWork(simulation); attempt++) {
    simulation.work.left -= workOfSystem(flow.paths.length)
    const inputs = equalizeMarginalRates({ rates, sensitivity }, flow.inputs, caps, damping)
    const next = { paths: flow.paths, inputs }
    const traced = traceFlow(simulation, next)
    updateCaps(traced.caps, caps, inputs)
    if (traced.output > output)
      return { flow: next, ...traced, damping: Math.max(minDamping, damping / 10) }
    const maxGain = maxGainOf(rates, flow.inputs, inputs)
    if (maxGain >= 0 && maxGain <= precision * output) return undefined
    caps.set(traced.caps)
    correctSensitivity(sensitivity, [rates, traced.rates], [flow.inputs, inputs])
    damping = attempt === 0 ? damping : Math.max(damping * 10, strongDamping)
  }
  return exchange(simulation, from, precision)
}

/** Moves input from the used path with the lowest marginal rate to the path with the highest. */
function exchange(simulation: PoolSimulation, from: Traced, precision: number): Traced | undefined {
  const { flow, output, rates, caps } = from
  let [worst, best] = [-1, 0]
  for (let path = 0; path < rates.length; path++) {
    const rate = rates[path] as number
    if (rate > (rates[best] as number)) best = path
    if ((flow.inputs[path] as number) > 0 && (worst < 0 || rate < (rates[worst] as number)))
      worst = path
  }
  const maxGain = (rates[best] as number) - (rates[worst] as number)
  let amount = flow.inputs[worst] as number
  if ((caps[worst] as number) < amount) amount -= caps[worst] as number
  for (; hasWork(simulation) && amount * maxGain > precision * output; amount /= 4) {
    const inputs = flow.inputs.slice()
    inputs[worst] = (inputs[worst] as number) - amount
    inputs[best] = (inputs[best] as number) + amount
    const next = { paths: flow.paths, inputs }
    const traced = traceFlow(simulation, next)
    if (traced.output > output) return { flow: next, ...traced, damping: firstDamping }
  }
  return undefined
}

/** Keeps the caps that were known before, as long as an input below them has not shown others. */
function updateCaps(caps: Float64Array, before: Float64Array, inputs: Float64Array): void {
  for (let path = 0; path < caps.length; path++)
    if (
      caps[path] === Number.POSITIVE_INFINITY &&
      (inputs[path] as number) <= (before[path] as number)
    )
      caps[path] = before[path] as number
}

/** Upper bound on the gain of a step: marginal rates only fall as input rises. */
function maxGainOf(rates: Float64Array, before: Float64Array, after: Float64Array): number {
  let gain = 0
  for (let path = 0; path < rates.length; path++)
    gain += (rates[path] as number) * ((after[path] as number) - (before[path] as number))
  return gain
}

/** The largest relative change of 1 ÷ √rate that counts: an exhausted path has a rate of nearly 0. */
const maxChange = 10

type Pair = readonly [before: Float64Array, after: Float64Array]

/**
 * Raises the sensitivity of each path to its own input by what a step has changed its rate more than foretold.
 * @param sensitivity see `MarginalRates`.
 */
function correctSensitivity(
  sensitivity: Float64Array,
  [ratesBefore, ratesAfter]: Pair,
  [inputsBefore, inputsAfter]: Pair,
): void {
  const size = ratesBefore.length
  for (let path = 0; path < size; path++) {
    const moved = (inputsAfter[path] as number) - (inputsBefore[path] as number)
    if (moved === 0) continue
    let foretold = 0
    for (let other = 0; other < size; other++)
      foretold +=
        (sensitivity[path * size + other] as number) *
        ((inputsAfter[other] as number) - (inputsBefore[other] as number))
    const ratio = Math.sqrt((ratesBefore[path] as number) / (ratesAfter[path] as number))
    const changed = 2 * (Math.min(maxChange, ratio) - 1)
    const excess = (changed - foretold) / moved
    if (excess > 0) {
      const own = path * (size + 1)
      sensitivity[own] = (sensitivity[own] as number) + excess
    }
  }
}
