import type { Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { levelInputs } from './equalizeMarginalRates.ts'
import { type Flow, runFlow } from './flow.ts'
import { measureResistance } from './marginalRates.ts'

/** A flow and what it gives. */
export type Balance = Readonly<{ flow: Flow; output: number }>

/** The share of the output that a change must gain to be worth its time: a thousandth of a basis point. */
export const tolerance = 1e-7

const mostAttempts = 8
const leastDamping = 1e-9
const firstDamping = 1e-7

/**
 * Divides the input of a flow anew between its paths, until all that are used have the same marginal rate and
 * the unused no better one: then no other division gives more. Paths may end up unused. The trial
 * stays as the answer leaves it.
 *
 * Steps are damped as in Levenberg's and Marquardt's method: more after one that lost, as it may when it comes to
 * another liquidity, less after one that gained.
 * @param precision goes on while a step gains more than this share of the output.
 */
export function rebalance(
  trial: Trial,
  start: Flow,
  precision = tolerance,
  mostSteps = 8,
): Balance {
  let best = { flow: start, output: runFlow(trial, start) }
  let damping = firstDamping
  for (let step = 0; step < mostSteps; step++) {
    const next = improve(trial, best, damping, precision)
    if (next === undefined) {
      runFlow(trial, best.flow)
      return best
    }
    const gain = next.output - best.output
    best = { flow: next.flow, output: next.output }
    if (gain <= precision * next.output) return best
    damping = Math.max(leastDamping, next.damping / 10)
  }
  return best
}

/** The next step that gains anything, with the damping that it took; undefined where there seems to be none. */
function improve(
  trial: Trial,
  { flow, output }: Balance,
  firstTry: number,
  precision: number,
): (Balance & Readonly<{ damping: number }>) | undefined {
  const resistance = measureResistance(trial, flow)
  let damping = firstTry
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const inputs = levelInputs(resistance, flow.inputs, damping)
    const next = { paths: flow.paths, inputs }
    const reached = runFlow(trial, next)
    if (reached > output) return { flow: next, output: reached, damping }
    const promised = promisedGain(resistance.rates, flow.inputs, inputs)
    if (promised >= 0 && promised <= precision * output) return undefined
    damping = Math.max(damping * 30, 1e-4)
  }
  return undefined
}

/** By the rates before the step, which only fall: at most this much. */
const promisedGain = (rates: Float64Array, before: Float64Array, after: Float64Array): number =>
  rates.reduce((gain, rate, i) => gain + rate * ((after[i] as number) - (before[i] as number)), 0)
