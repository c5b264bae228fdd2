import { depthSize, reserveIn } from './depths.ts'
import { type Flow, undoFlow } from './flow.ts'
import { rateOf, type Trial, trialSwap } from './trial.ts'

/** How the output of a flow answers to a little more input on each of its paths. */
export type Resistance = Readonly<{
  /** By path: what one more unit gives. */
  rates: Float64Array
  /**
   * Row by row: by how much more input on one path lowers the rate of another, because they share pools.
   * Symmetric, as if a unit were worth the same to all paths that share a pool, which is nearly so.
   */
  fall: Float64Array
}>

/** A path's use of an edge: rates before and after, and how many units more arrive for one more of the path's input. */
type Use = Readonly<{ path: number; edge: number; before: number; after: number; gain: number }>

/** Leaves the pools as the flow does. */
export function measureResistance(trial: Trial, flow: Flow): Resistance {
  const uses = traceUses(trial, flow)
  const rates = sumRates(uses, flow.paths.length)
  return { rates, fall: sumFalls(trial, uses, rates) }
}

/** In the order of execution. */
function traceUses(trial: Trial, flow: Flow): Use[] {
  undoFlow(trial, flow)
  const uses: Use[] = []
  flow.paths.forEach((edges, path) => {
    let amount = flow.inputs[path] as number
    let gain = 1
    for (const edge of edges) {
      const before = rateOf(trial, edge)
      amount = trialSwap(trial, edge, amount)
      const after = rateOf(trial, edge)
      uses.push({ path, edge, before, after, gain })
      gain *= after
    }
  })
  return uses
}

/**
 * Goes back from the output: a unit more into an edge gives the rate after it, and leaves less to those who come
 * later, whom it takes what lies between their rates before and after.
 */
function sumRates(uses: readonly Use[], paths: number): Float64Array {
  const rates = new Float64Array(paths).fill(1)
  /** By edge: what later uses lose by a unit more. */
  const losses = new Map<number, number>()
  for (const { path, edge, before, after } of uses.toReversed()) {
    const worth = rates[path] as number
    const loss = losses.get(edge) ?? 0
    rates[path] = worth * after - loss
    losses.set(edge, loss + worth * (before - after))
  }
  return rates
}

/** A unit more into an edge lowers its rate by the share 2 ÷ reserveIn. */
function sumFalls(trial: Trial, uses: readonly Use[], rates: Float64Array): Float64Array {
  const size = rates.length
  const fall = new Float64Array(size * size)
  const byEdge = Map.groupBy(uses, ({ edge }) => edge)
  for (const [edge, sharing] of byEdge) {
    const worth = Math.max(...sharing.map(({ path, gain }) => (rates[path] as number) / gain))
    const share = (2 * worth) / (trial.depths[edge * depthSize + reserveIn] as number)
    for (const one of sharing)
      for (const other of sharing) {
        const place = one.path * size + other.path
        fall[place] = (fall[place] as number) + share * one.gain * other.gain
      }
  }
  return fall
}
