import type { Pool } from '#src/core/pools/pool.ts'
import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  range,
  reserveIn,
  reserveOut,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import {
  isZeroForOne,
  type PoolGraph,
  poolOfEdge,
  reverseEdge,
  type Topology,
} from '#src/core/router/graph.ts'
import type { Steps } from '#src/core/steps.ts'

/** A mutable copy of the pools in floating point for one search: swaps are simulated here and undone again. */
export type PoolSimulation = Readonly<{
  graph: PoolGraph
  reserves: VirtualReserves
  /** By edge: 1 if no path may use it. */
  closed: Uint8Array
  work: WorkLeft
}>

/**
 * The work that a search may still do, in evaluations of one liquidity range of one pool. It counts work rather than
 * time, so that every machine finds the same route. Below 0, no further step of an improvement begins.
 */
type WorkLeft = { left: number }

/** More work than any search does. */
export const endlessWork = 2 ** 30

export const hasWork = ({ work }: Pick<PoolSimulation, 'work'>): boolean => work.left > 0

/** Pools in the state of the graph. Pools that are not allowed are closed in both directions. */
export const createSimulation = (
  graph: PoolGraph,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  maxWork = endlessWork,
): PoolSimulation =>
  resetSimulation(
    {
      graph,
      reserves: new Float64Array(graph.reserves.length),
      closed: new Uint8Array(2 * graph.pools.length),
      work: { left: maxWork },
    },
    allowsPool,
  )

/**
 * The arrays of simulations that have ended, for the next ones: allocating them takes longer than a small search. Several
 * searches may be paused at a time.
 */
const spares = new WeakMap<Topology, Pick<PoolSimulation, 'reserves' | 'closed'>[]>()
/** Per list of pools. Each takes 0.1 MB for a thousand. */
const maxSpares = 8

/** Runs `run` on a simulation that it must not keep. Returns its result. */
export function* simulate<Result>(
  graph: PoolGraph,
  allowsPool: ((pool: Pool) => boolean) | undefined,
  run: (simulation: PoolSimulation) => Steps<Result>,
  maxWork = endlessWork,
): Steps<Result> {
  const { topology } = graph
  const free = spares.get(topology) ?? []
  spares.set(topology, free)
  const spare = free.pop()
  const simulation =
    spare === undefined
      ? createSimulation(graph, allowsPool, maxWork)
      : resetSimulation({ ...spare, graph, work: { left: maxWork } }, allowsPool)
  const result = yield* run(simulation)
  const { reserves, closed } = simulation
  if (free.length < maxSpares) free.push({ reserves, closed })
  return result
}

function resetSimulation(
  simulation: PoolSimulation,
  allowsPool: ((pool: Pool) => boolean) | undefined,
): PoolSimulation {
  const { graph, reserves, closed } = simulation
  reserves.set(graph.reserves)
  closed.fill(0)
  if (allowsPool !== undefined)
    graph.pools.forEach((pool, number) => {
      if (!allowsPool(pool)) closed.fill(1, 2 * number, 2 * number + 2)
    })
  return simulation
}

/** Closes the reverse edges of a path, because swaps in both directions would undo each other and pay the fee twice. */
export function closeReverse({ closed }: PoolSimulation, path: readonly number[]): void {
  for (const edge of path) closed[reverseEdge(edge)] = 1
}

/**
 * Closes the edges that a path excludes from the rest of its route: the reverse of its edges, and its pools whose fee
 * moves.
 */
export function closeUsed(simulation: PoolSimulation, path: readonly number[]): void {
  closeReverse(simulation, path)
  const { movingFees } = simulation.graph.topology
  if (movingFees === undefined) return
  for (const edge of path) if (movingFees[poolOfEdge(edge)] === 1) simulation.closed[edge] = 1
}

/** Marginal rate of an edge: the output of the first unit of input; 0 if the pool can pay nothing. */
export const rateOf = ({ reserves }: PoolSimulation, edge: number): number =>
  (reserves[edge * edgeSize + reserveOut] as number) /
  (reserves[edge * edgeSize + reserveIn] as number)

/** State of one edge at the end of a swap through several ranges. Shared, because hot loops must not allocate. */
const scratch: VirtualReserves = new Float64Array(edgeSize)

/** The output for `amountIn`. Input beyond the liquidity of the pool buys nothing. */
export function outputFor(simulation: PoolSimulation, edge: number, amountIn: number): number {
  simulation.work.left -= 1
  const offset = edge * edgeSize
  const paid = simulation.reserves[offset + reserveIn] as number
  const bought = simulation.reserves[offset + reserveOut] as number
  return amountIn <= (simulation.reserves[offset + capacity] as number)
    ? (bought * amountIn) / (paid + amountIn)
    : swapThroughRanges(simulation, edge, amountIn)
}

/**
 * Upper bound on the output, up to float rounding. It is faster than `outputFor`: all input beyond the current range
 * gets the marginal rate at the end of that range.
 */
export function maxOutputFor({ reserves }: PoolSimulation, edge: number, amountIn: number): number {
  const offset = edge * edgeSize
  const paid = reserves[offset + reserveIn] as number
  const bought = reserves[offset + reserveOut] as number
  const within = reserves[offset + capacity] as number
  if (amountIn <= within) return (bought * amountIn) / (paid + amountIn)
  const end = paid + within
  return (bought / end) * (within + ((amountIn - within) * paid) / end)
}

/** The output for `amountIn`, or 0 if the pool cannot take all of it. */
export function outputForAll(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const capacityIn = simulation.reserves[edge * edgeSize + capacity] as number
  const amountOut = outputFor(simulation, edge, amountIn)
  return amountIn > capacityIn && scratch[reserveOut] === 0 ? 0 : amountOut
}

/** The input needed for `amountOut`; Infinity if the pool cannot pay that much. */
export function inputFor(simulation: PoolSimulation, edge: number, amountOut: number): number {
  const shape = copyToScratch(simulation, edge)
  let amountIn = 0
  let rest = amountOut
  for (;;) {
    simulation.work.left -= 1
    const paid = scratch[reserveIn] as number
    const bought = scratch[reserveOut] as number
    const capacityIn = scratch[capacity] as number
    const inRange =
      capacityIn === Number.POSITIVE_INFINITY ? bought : (bought * capacityIn) / (paid + capacityIn)
    if (rest < inRange) return amountIn + (paid * rest) / (bought - rest)
    if (capacityIn === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
    amountIn += capacityIn
    rest -= inRange
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}

/** Like `outputFor`, but changes the pool as the swap does. */
export function simulateSwap(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const { reserves, work } = simulation
  work.left -= 1
  const offset = edge * edgeSize
  if (amountIn > (reserves[offset + capacity] as number)) {
    const amountOut = swapThroughRanges(simulation, edge, amountIn)
    reserves.set(scratch, offset)
    return amountOut
  }
  const { feeJoins, feeFactor } = shapeAt(simulation, edge)
  const paid = reserves[offset + reserveIn] as number
  const bought = reserves[offset + reserveOut] as number
  const amountOut = (bought * amountIn) / (paid + amountIn)
  reserves[offset + reserveIn] = paid + (feeJoins ? amountIn / feeFactor : amountIn)
  reserves[offset + reserveOut] = bought - amountOut
  reserves[offset + capacity] = (reserves[offset + capacity] as number) - amountIn
  return amountOut
}

/** Resets an edge to its state in the graph. */
export function resetEdge({ reserves, graph }: PoolSimulation, edge: number): void {
  const end = (edge + 1) * edgeSize
  for (let i = edge * edgeSize; i < end; i++) reserves[i] = graph.reserves[i] as number
}

/** The approximate number of ticks that a swap would cross: the number of ranges that it moves through. */
export function crossingsFor(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const offset = edge * edgeSize
  if (amountIn <= (simulation.reserves[offset + capacity] as number)) return 0
  if (!shapeAt(simulation, edge).hasTicks) return 0
  swapThroughRanges(simulation, edge, amountIn)
  return distance(simulation.reserves[offset + range] as number, scratch[range] as number)
}

/** The approximate number of ticks that the simulated swaps have crossed since the state of the graph. */
export function rangesCrossed(simulation: PoolSimulation, edge: number): number {
  if (!shapeAt(simulation, edge).hasTicks) return 0
  const { reserves, graph } = simulation
  const offset = edge * edgeSize + range
  return distance(graph.reserves[offset] as number, reserves[offset] as number)
}

/** The range index of an exhausted pool is -1; its distance counts as 0. */
const distance = (before: number, now: number): number =>
  before < 0 || now < 0 ? 0 : Math.abs(now - before)

/** The output for an `amountIn` above the capacity of the current range. Leaves the new state in `scratch`. */
function swapThroughRanges(simulation: PoolSimulation, edge: number, amountIn: number): number {
  const shape = copyToScratch(simulation, edge)
  let amountOut = 0
  let rest = amountIn
  for (;;) {
    simulation.work.left -= 1
    const paid = scratch[reserveIn] as number
    const bought = scratch[reserveOut] as number
    const capacityIn = scratch[capacity] as number
    // Negated, so that NaN ends the loop as well.
    if (!(rest > capacityIn)) {
      const last = (bought * rest) / (paid + rest)
      scratch[reserveIn] = paid + rest
      scratch[reserveOut] = bought - last
      scratch[capacity] = capacityIn - rest
      return amountOut + last
    }
    amountOut += (bought * capacityIn) / (paid + capacityIn)
    rest -= capacityIn
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}

function copyToScratch({ reserves, graph }: PoolSimulation, edge: number): PoolShape {
  const start = edge * edgeSize
  for (let i = 0; i < edgeSize; i++) scratch[i] = reserves[start + i] as number
  return shapeAt({ graph }, edge)
}

const shapeAt = ({ graph }: Pick<PoolSimulation, 'graph'>, edge: number): PoolShape =>
  graph.shapes[poolOfEdge(edge)] as PoolShape
