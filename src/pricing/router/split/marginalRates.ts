import {
  type PoolSimulation,
  rateOf,
  simulateSwap,
} from '#src/pricing/router/pools/poolSimulation.ts'
import { edgeSize, reserveIn } from '#src/pricing/router/pools/virtualReserves.ts'
import { type Flow, resetFlow } from './flow.ts'

/** The marginal rates of the paths of a flow, and how they react to more input. */
export type MarginalRates = Readonly<{
  /** By path: the output of one more unit of input. */
  rates: Float64Array
  /**
   * Matrix of paths, row by row: the share of its marginal rate that the path of the row loses by one more unit of
   * input on the path of the column, because they share pools.
   */
  sensitivity: Float64Array
}>

/** One hop of one path. */
type PathHop = Readonly<{
  path: number
  edge: number
  /** Marginal rate of the edge before and after the hop. */
  before: number
  after: number
  /** How many more units reach the edge for one more unit of input of the path. */
  gain: number
  /** The previous hop over the same edge, if any, and the place of this hop in the order of execution. */
  previous: PathHop | undefined
  place: number
}>

/** Leaves the simulation in the state after the flow. */
export function measureMarginalRates(simulation: PoolSimulation, flow: Flow): MarginalRates {
  const hops = traceHops(simulation, flow)
  const rates = sumRates(hops, flow.paths.length)
  return { rates, sensitivity: sumSensitivities(simulation, hops, flow.paths.length) }
}

/** All hops in the order of execution. */
function traceHops(simulation: PoolSimulation, flow: Flow): PathHop[] {
  resetFlow(simulation, flow)
  const hops: PathHop[] = []
  const latest = new Map<number, PathHop>()
  flow.paths.forEach((edges, path) => {
    let amount = flow.inputs[path] as number
    let gain = 1
    for (const edge of edges) {
      const before = rateOf(simulation, edge)
      amount = simulateSwap(simulation, edge, amount)
      const after = rateOf(simulation, edge)
      const use = {
        path,
        edge,
        before,
        after,
        gain,
        previous: latest.get(edge),
        place: hops.length,
      }
      latest.set(edge, use)
      hops.push(use)
      gain *= after
    }
  })
  return hops
}

/**
 * Goes backwards from the output. One more unit into an edge buys the rate after the hop, and costs each later hop over
 * that edge the difference of its rates before and after.
 */
function sumRates(hops: readonly PathHop[], paths: number): Float64Array {
  const rates = new Float64Array(paths).fill(1)
  /** By hop: what later hops over its edge lose by one more unit. */
  const losses = new Float64Array(hops.length)
  for (let i = hops.length - 1; i >= 0; i--) {
    const { path, before, after, previous } = hops[i] as PathHop
    const rate = rates[path] as number
    const loss = losses[i] as number
    rates[path] = rate * after - loss
    if (previous !== undefined) losses[previous.place] = loss + rate * (before - after)
  }
  return rates
}

/** One more unit into an edge lowers the rate of every path through it by the share 2 ÷ reserveIn. */
function sumSensitivities(
  simulation: PoolSimulation,
  hops: readonly PathHop[],
  paths: number,
): Float64Array {
  const sensitivity = new Float64Array(paths * paths)
  for (const use of hops) {
    const share = 2 / (simulation.reserves[use.edge * edgeSize + reserveIn] as number)
    for (let other: PathHop | undefined = use; other !== undefined; other = other.previous) {
      const place = use.path * paths + other.path
      sensitivity[place] = (sensitivity[place] as number) + share * other.gain
      if (other === use) continue
      const mirrored = other.path * paths + use.path
      sensitivity[mirrored] = (sensitivity[mirrored] as number) + share * use.gain
    }
  }
  return sensitivity
}
