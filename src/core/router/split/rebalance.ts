import type { PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { equalizeMarginalRates } from './equalizeMarginalRates.ts'
import { type Flow, simulateFlow } from './flow.ts'
import { measureMarginalRates } from './marginalRates.ts'

/** A flow and its output. */
export type FlowResult = Readonly<{ flow: Flow; output: number }>

/** The smallest gain worth computing, as a share of the output: a thousandth of a basis point. */
export const tolerance = 1e-7

const maxAttempts = 8
const minDamping = 1e-9
const firstDamping = 1e-7

/**
 * Moves input between the paths of a flow until all used paths have the same marginal rate and no unused path has a
 * better one. Then no other split between these paths gives more. A path may end with no input. The simulation is left
 * in the state after the returned flow.
 *
 * Steps are damped as in the Levenberg–Marquardt method: more after a step that lost output (it may enter another
 * range of liquidity), less after one that gained.
 * @param precision continues while a step gains more than this share of the output.
 */
export function rebalance(
  simulation: PoolSimulation,
  start: Flow,
  precision = tolerance,
  maxSteps = 8,
): FlowResult {
  let best = { flow: start, output: simulateFlow(simulation, start) }
  if (start.paths.length === 1) return best
  let damping = firstDamping
  for (let step = 0; step < maxSteps; step++) {
    const next = improve(simulation, best, damping, precision)
    if (next === undefined) {
      simulateFlow(simulation, best.flow)
      return best
    }
    const gain = next.output - best.output
    best = { flow: next.flow, output: next.output }
    if (gain <= precision * next.output) return best
    damping = Math.max(minDamping, next.damping / 10)
  }
  return best
}

/** The next step that gains output, with its damping; `undefined` if there seems to be none. */
function improve(
  simulation: PoolSimulation,
  { flow, output }: FlowResult,
  initialDamping: number,
  precision: number,
): (FlowResult & Readonly<{ damping: number }>) | undefined {
  const marginalRates = measureMarginalRates(simulation, flow)
  let damping = initialDamping
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const inputs = equalizeMarginalRates(marginalRates, flow.inputs, damping)
    const next = { paths: flow.paths, inputs }
    const nextOutput = simulateFlow(simulation, next)
    if (nextOutput > output) return { flow: next, output: nextOutput, damping }
    const maxGain = maxGainOf(marginalRates.rates, flow.inputs, inputs)
    if (maxGain >= 0 && maxGain <= precision * output) return undefined
    damping = Math.max(damping * 30, 1e-4)
  }
  return undefined
}

/** Upper bound on the gain of a step: marginal rates only fall as input rises. */
const maxGainOf = (rates: Float64Array, before: Float64Array, after: Float64Array): number =>
  rates.reduce((gain, rate, i) => gain + rate * ((after[i] as number) - (before[i] as number)), 0)
