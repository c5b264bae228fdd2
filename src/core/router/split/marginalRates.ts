import { edgeSize, reserveIn } from '#src/core/pools/virtualReserves.ts'
import { type PoolSimulation, rateOf, simulateSwap } from '#src/core/router/pools/poolSimulation.ts'
import type { EdgePath } from '#src/core/router/search/searchPaths.ts'
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

/**
 * The hops of a flow in the order of execution, as columns. All measurements share them, because a price measures
 * hundreds of flows. They are valid until the next measurement.
 */
type Hops = {
  count: number
  path: Int32Array
  edge: Int32Array
  /** Marginal rate of the edge before and after the hop. */
  before: Float64Array
  after: Float64Array
  /** Additional units that reach the edge for one more unit of input of the path. */
  gain: Float64Array
  /** The place of the previous hop over the same edge; -1 if there is none. */
  previous: Int32Array
  /** The input that the edge has taken, with that of earlier hops. */
  taken: Float64Array
  /** Loss of later hops over the same edge for one more unit into it. */
  loss: Float64Array
}

const createHops = (size: number): Hops => ({
  count: 0,
  path: new Int32Array(size),
  edge: new Int32Array(size),
  before: new Float64Array(size),
  after: new Float64Array(size),
  gain: new Float64Array(size),
  previous: new Int32Array(size),
  taken: new Float64Array(size),
  loss: new Float64Array(size),
})

let hops = createHops(256)
/** By edge: the place of its latest hop; -1 if there is none, and between two measurements. */
let latest = new Int32Array(0)

/**
 * Simulates a flow and measures the marginal rates of its paths. Their sensitivity can be measured until the next flow
 * is traced. Leaves the simulation in the state after the flow.
 */
export function traceFlow(simulation: PoolSimulation, flow: Flow): Trace {
  const caps = new Float64Array(flow.paths.length)
  const output = traceHops(simulation, flow, caps)
  return { output, rates: sumRates(hops, flow.paths.length), caps }
}

export type Trace = Readonly<{
  output: number
  /** By path. */
  rates: Float64Array
  /** By path: about the largest input that its pools take, if other paths leave them to it; infinite if not known. */
  caps: Float64Array
}>

/** The sensitivity of the paths of the flow that was traced last. See `MarginalRates`. */
export const sensitivityOfLast = (simulation: PoolSimulation, { paths }: Flow): Float64Array =>
  sumSensitivities(simulation, hops, paths.length)

function growArrays(simulation: PoolSimulation, flow: Flow): void {
  const count = flow.paths.reduce((sum, edges) => sum + edges.length, 0)
  if (count > hops.path.length) hops = createHops(2 * count)
  const edges = simulation.closed.length
  if (edges > latest.length) latest = new Int32Array(edges).fill(-1)
}

function traceHops(simulation: PoolSimulation, flow: Flow, caps: Float64Array): number {
  resetFlow(simulation, flow)
  growArrays(simulation, flow)
  let place = 0
  let output = 0
  for (let path = 0; path < flow.paths.length; path++) {
    let amount = flow.inputs[path] as number
    let gain = 1
    let fitting = 1
    for (const edge of flow.paths[path] as EdgePath) {
      hops.path[place] = path
      hops.edge[place] = edge
      hops.before[place] = rateOf(simulation, edge)
      const amountIn = amount
      amount = simulateSwap(simulation, edge, amountIn)
      const after = rateOf(simulation, edge)
      const previous = latest[edge] as number
      const excess = after === 0 ? excessOf(simulation, edge, amountIn) : 0
      const taken = amountIn - excess + (previous < 0 ? 0 : (hops.taken[previous] as number))
      hops.taken[place] = taken
      if (excess > 0 && taken < amountIn) fitting *= taken / amountIn
      hops.after[place] = after
      hops.gain[place] = gain
      hops.previous[place] = previous
      hops.loss[place] = 0
      latest[edge] = place
      place++
      gain *= after
    }
    output += amount
    caps[path] = fitting === 1 ? Number.POSITIVE_INFINITY : fitting * (flow.inputs[path] as number)
  }
  hops.count = place
  for (let at = 0; at < place; at++) latest[hops.edge[at] as number] = -1
  return output
}

/** The part of the latest input of an exhausted edge that it did not take: see `closeEdge`. */
const excessOf = ({ reserves }: PoolSimulation, edge: number, amountIn: number): number =>
  Math.min(amountIn, (reserves[edge * edgeSize + reserveIn] as number) - 1)

/**
 * Goes backwards from the output. One more unit into an edge buys the rate after the hop, and costs each later hop over
 * that edge the difference of its rates before and after.
 */
function sumRates(
  { count, path, before, after, previous, loss }: Hops,
  paths: number,
): Float64Array {
  const rates = new Float64Array(paths).fill(1)
  for (let at = count - 1; at >= 0; at--) {
    const number = path[at] as number
    const rate = rates[number] as number
    const lost = loss[at] as number
    rates[number] = rate * (after[at] as number) - lost
    const earlier = previous[at] as number
    if (earlier >= 0) loss[earlier] = lost + rate * ((before[at] as number) - (after[at] as number))
  }
  return rates
}

/** One more unit into an edge lowers the rate of every path through it by the share 2 ÷ reserveIn. */
function sumSensitivities(
  { reserves }: PoolSimulation,
  { count, path, edge, gain, previous }: Hops,
  paths: number,
): Float64Array {
  const sensitivity = new Float64Array(paths * paths)
  for (let at = 0; at < count; at++) {
    const share = 2 / (reserves[(edge[at] as number) * edgeSize + reserveIn] as number)
    const own = path[at] as number
    for (let other = at; other >= 0; other = previous[other] as number) {
      const place = own * paths + (path[other] as number)
      sensitivity[place] = (sensitivity[place] as number) + share * (gain[other] as number)
      if (other === at) continue
      const mirrored = (path[other] as number) * paths + own
      sensitivity[mirrored] = (sensitivity[mirrored] as number) + share * (gain[at] as number)
    }
  }
  return sensitivity
}
