import { edgeSize, reserveIn } from '#src/core/pools/virtualReserves.ts'
import { type PoolSimulation, rateOf, simulateSwap } from '#src/core/router/pools/poolSimulation.ts'
import type { EdgePath } from '#src/core/router/search/searchPaths.ts'
import { type Flow, resetFlow, simulateFlow } from './flow.ts'

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

/** A path whose marginal rate is below this share of the mean counts as exhausted. */
const exhaustion = 1e-9

/**
 * The split of the same total input at which all used paths should have one marginal rate.
 *
 * In a constant product, and within one range of concentrated liquidity, 1 ÷ √rate rises linearly with the input. So
 * for paths that share no pool, the input that brings a path to the common rate 1 ÷ level² changes by
 * 2 × (level × √rate − 1) ÷ sensitivity. Paths that share pools make this one system of linear equations. The level
 * follows from the total input.
 * @param damping the share by which the sensitivity of each path to its own input is increased.
 */
function equalizeMarginalRates(
  marginalRates: MarginalRates,
  inputs: Float64Array,
  damping: number,
): Float64Array {
  const { rates } = marginalRates
  const mean = meanRate(rates, inputs)
  const next = inputs.slice()
  let open: number[] = []
  for (let path = 0; path < inputs.length; path++) {
    const rate = rates[path] as number
    const input = inputs[path] as number
    // An exhausted path only shows that its input is too large.
    if (rate <= exhaustion * mean) next[path] = input - input / (2 + damping)
    else if (rate > mean || input > 0) open.push(path)
  }
  while (open.length > 0) {
    equalizeOpen(marginalRates, inputs, next, open, damping)
    const filled = open.filter((path) => (next[path] as number) > 0)
    let isAnyEmptied = false
    for (const path of open) {
      if ((next[path] as number) >= 0) continue
      next[path] = 0
      isAnyEmptied = true
    }
    if (!isAnyEmptied) break
    open = filled
  }
  return next
}

/** The mean marginal rate, weighted by input. */
function meanRate(rates: Float64Array, inputs: Float64Array): number {
  let total = 0
  let gain = 0
  for (let path = 0; path < inputs.length; path++) {
    const input = inputs[path] as number
    total += input
    gain += input * (rates[path] as number)
  }
  return gain / total
}

/** Sets the `next` inputs of the open paths. The inputs of the other paths are given. */
function equalizeOpen(
  { rates, sensitivity }: MarginalRates,
  inputs: Float64Array,
  next: Float64Array,
  open: readonly number[],
  damping: number,
): void {
  const size = rates.length
  /** By how much the inputs of the other paths change. */
  const changes = new Float64Array(size)
  let released = 0
  for (let path = 0; path < size; path++)
    if (!open.includes(path)) {
      const change = (next[path] as number) - (inputs[path] as number)
      changes[path] = change
      released -= change
    }
  const matrix = new Float64Array(open.length ** 2)
  const perLevel = new Float64Array(open.length)
  const drop = new Float64Array(open.length)
  for (let row = 0; row < open.length; row++) {
    const path = open[row] as number
    for (let column = 0; column < open.length; column++)
      matrix[row * open.length + column] = sensitivity[
        path * size + (open[column] as number)
      ] as number
    matrix[row * (open.length + 1)] = (sensitivity[path * (size + 1)] as number) * (1 + damping)
    perLevel[row] = 2 * Math.sqrt(rates[path] as number)
    let fallen = 0
    for (let other = 0; other < size; other++)
      fallen += (changes[other] as number) * (sensitivity[path * size + other] as number)
    drop[row] = 2 + fallen
  }
  solve(matrix, [perLevel, drop])
  const level = (released + sum(drop)) / sum(perLevel)
  for (let row = 0; row < open.length; row++) {
    const path = open[row] as number
    next[path] =
      (inputs[path] as number) + level * (perLevel[row] as number) - (drop[row] as number)
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (let at = 0; at < values.length; at++) total += values[at] as number
  return total
}

/**
 * Solves A x = b for several b by Gaussian elimination with partial pivoting.
 * @param a the matrix, row by row; overwritten.
 * @param bs overwritten with the solutions.
 */
export function solve(a: Float64Array, bs: readonly Float64Array[]): void {
  const size = Math.sqrt(a.length)
  for (let column = 0; column < size; column++) {
    const pivot = largestBelow(a, size, column)
    swap(a, column * size, pivot * size, size)
    for (const b of bs) swap(b, column, pivot, 1)
    for (let row = column + 1; row < size; row++) eliminate(a, size, bs, column, row)
  }
  for (const b of bs) substitute(a, size, b)
}

/** The row on or below the diagonal with the largest absolute element in a column. */
function largestBelow(a: Float64Array, size: number, column: number): number {
  let largest = column
  for (let row = column + 1; row < size; row++) {
    const element = Math.abs(a[row * size + column] as number)
    if (element > Math.abs(a[largest * size + column] as number)) largest = row
  }
  return largest
}

function swap(values: Float64Array, one: number, other: number, count: number): void {
  if (one === other) return
  for (let i = 0; i < count; i++) {
    const value = values[one + i] as number
    values[one + i] = values[other + i] as number
    values[other + i] = value
  }
}

/** Subtracts a multiple of the pivot row from another row, so that its element in the column becomes 0. */
function eliminate(
  a: Float64Array,
  size: number,
  bs: readonly Float64Array[],
  column: number,
  row: number,
): void {
  const source = column * size
  const target = row * size
  const factor = (a[target + column] as number) / (a[source + column] as number)
  if (factor === 0) return
  for (let k = column + 1; k < size; k++)
    a[target + k] = (a[target + k] as number) - factor * (a[source + k] as number)
  for (const b of bs) b[row] = (b[row] as number) - factor * (b[column] as number)
}

function substitute(a: Float64Array, size: number, b: Float64Array): void {
  for (let row = size - 1; row >= 0; row--) {
    let rest = b[row] as number
    for (let k = row + 1; k < size; k++) rest -= (a[row * size + k] as number) * (b[k] as number)
    b[row] = rest / (a[row * size + row] as number)
  }
}

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
  loss: new Float64Array(size),
})

let hops = createHops(256)
/** By edge: the place of its latest hop; -1 if there is none, and between two measurements. */
let latest = new Int32Array(0)

/** Leaves the simulation in the state after the flow. */
export function measureMarginalRates(simulation: PoolSimulation, flow: Flow): MarginalRates {
  traceHops(simulation, flow)
  const paths = flow.paths.length
  const rates = sumRates(hops, paths)
  return { rates, sensitivity: sumSensitivities(simulation, hops, paths) }
}

function growArrays(simulation: PoolSimulation, flow: Flow): void {
  const count = flow.paths.reduce((sum, edges) => sum + edges.length, 0)
  if (count > hops.path.length) hops = createHops(2 * count)
  const edges = simulation.closed.length
  if (edges > latest.length) latest = new Int32Array(edges).fill(-1)
}

function traceHops(simulation: PoolSimulation, flow: Flow): void {
  resetFlow(simulation, flow)
  growArrays(simulation, flow)
  let place = 0
  for (let path = 0; path < flow.paths.length; path++) {
    let amount = flow.inputs[path] as number
    let gain = 1
    for (const edge of flow.paths[path] as EdgePath) {
      hops.path[place] = path
      hops.edge[place] = edge
      hops.before[place] = rateOf(simulation, edge)
      amount = simulateSwap(simulation, edge, amount)
      const after = rateOf(simulation, edge)
      hops.after[place] = after
      hops.gain[place] = gain
      hops.previous[place] = latest[edge] as number
      hops.loss[place] = 0
      latest[edge] = place
      place++
      gain *= after
    }
  }
  hops.count = place
  for (let at = 0; at < place; at++) latest[hops.edge[at] as number] = -1
}

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
