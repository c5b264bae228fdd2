import { rateOf, type Trial, trialSwap } from '#src/pricing/router/pools/poolSimulation.ts'
import { depthSize, reserveIn } from '#src/pricing/router/pools/virtualReserves.ts'
import { type Flow, undoFlow } from './flow.ts'

/** How the rates of a flow's paths answer to a little more input. */
export type Resistance = Readonly<{
  /** By path: what one more unit of input gives. */
  rates: Float64Array
  /**
   * Row by row: the share of its rate that a path loses by one more unit of input on another, or on
   * itself, because they share pools.
   */
  fall: Float64Array
}>

/** One path's use of one edge. */
type Use = Readonly<{
  path: number
  edge: number
  /** The edge's rate before and after. */
  before: number
  after: number
  /** How many units more arrive for one more of the path's input. */
  gain: number
  /** The use of the same edge that came before this, if any. */
  previous: Use | undefined
}>

/** Leaves the pools as the flow does. */
export function measureResistance(trial: Trial, flow: Flow): Resistance {
  const uses = traceUses(trial, flow)
  const rates = sumRates(trial, uses, flow.paths.length)
  return { rates, fall: sumFalls(trial, uses, flow.paths.length) }
}

/** In the order of execution. */
function traceUses(trial: Trial, flow: Flow): Use[] {
  undoFlow(trial, flow)
  const uses: Use[] = []
  const latest = new Map<number, Use>()
  flow.paths.forEach((edges, path) => {
    let amount = flow.inputs[path] as number
    let gain = 1
    for (const edge of edges) {
      const before = rateOf(trial, edge)
      amount = trialSwap(trial, edge, amount)
      const after = rateOf(trial, edge)
      const use = { path, edge, before, after, gain, previous: latest.get(edge) }
      latest.set(edge, use)
      uses.push(use)
      gain *= after
    }
  })
  return uses
}

/**
 * Goes back from the output. A unit more into an edge gives the rate after it, and takes from each later use
 * what lies between that use's rates before and after.
 */
function sumRates(trial: Trial, uses: readonly Use[], paths: number): Float64Array {
  const rates = new Float64Array(paths).fill(1)
  /** By edge: what later uses lose by a unit more. */
  const losses = new Float64Array(trial.closed.length)
  for (let i = uses.length - 1; i >= 0; i--) {
    const { path, edge, before, after } = uses[i] as Use
    const worth = rates[path] as number
    const loss = losses[edge] as number
    rates[path] = worth * after - loss
    losses[edge] = loss + worth * (before - after)
  }
  return rates
}

/** A unit more into an edge lowers its rate, and that of any path through it, by the share 2 ÷ reserveIn. */
function sumFalls(trial: Trial, uses: readonly Use[], paths: number): Float64Array {
  const fall = new Float64Array(paths * paths)
  for (const use of uses) {
    const share = 2 / (trial.depths[use.edge * depthSize + reserveIn] as number)
    for (let other: Use | undefined = use; other !== undefined; other = other.previous) {
      const place = use.path * paths + other.path
      fall[place] = (fall[place] as number) + share * other.gain
      if (other === use) continue
      const mirrored = other.path * paths + use.path
      fall[mirrored] = (fall[mirrored] as number) + share * use.gain
    }
  }
  return fall
}
