import type { Pool } from '#src/core/pools/pool.ts'
import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  reserveIn,
  reserveOut,
} from '#src/core/pools/virtualReserves.ts'
import { isZeroForOne, type PoolGraph, poolOfEdge } from '#src/core/router/graph.ts'
import type { PoolSimulation } from './poolSimulation.ts'

/** The largest input of an edge that still buys something, and its output. */
type EdgeCapacity = Readonly<{ amountIn: number; amountOut: number }>

/** Cached, because a walk through all ranges of a pool takes long. */
const capacityOf = rememberByDirection<EdgeCapacity>()

/** The capacity of an edge in the state of the graph. */
export const edgeCapacity = (graph: PoolGraph, edge: number): EdgeCapacity =>
  capacityOf(graph.pools[poolOfEdge(edge)] as Pool, isZeroForOne(edge), () =>
    walkRanges(graph, edge),
  )

const scratch = new Float64Array(edgeSize)

/** @param visit called for each range with the totals before it and its reserves. */
function walkRanges(
  { reserves, shapes }: PoolGraph,
  edge: number,
  visit?: (amountIn: number, amountOut: number, paid: number, bought: number) => void,
): EdgeCapacity {
  for (let i = 0; i < edgeSize; i++) scratch[i] = reserves[edge * edgeSize + i] as number
  const shape = shapes[poolOfEdge(edge)] as PoolShape
  let amountIn = 0
  let amountOut = 0
  for (;;) {
    const capacityIn = scratch[capacity] as number
    if (capacityIn === Number.POSITIVE_INFINITY) return { amountIn, amountOut }
    const paid = scratch[reserveIn] as number
    const bought = scratch[reserveOut] as number
    visit?.(amountIn, amountOut, paid, bought)
    amountIn += capacityIn
    amountOut += (bought * capacityIn) / (paid + capacityIn)
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}

/** By edge. */
type Capacities = Readonly<{ amountsIn: Float64Array; amountsOut: Float64Array }>

const capacitiesByGraph = new WeakMap<PoolGraph, Capacities>()

/** The capacities of all edges in the state of the graph. */
export function capacitiesOf(graph: PoolGraph): Capacities {
  const known = capacitiesByGraph.get(graph)
  if (known !== undefined) return known
  const edges = 2 * graph.pools.length
  const made = { amountsIn: new Float64Array(edges), amountsOut: new Float64Array(edges) }
  for (let edge = 0; edge < edges; edge++) {
    const { amountIn, amountOut } = edgeCapacity(graph, edge)
    made.amountsIn[edge] = amountIn
    made.amountsOut[edge] = amountOut
  }
  capacitiesByGraph.set(graph, made)
  return made
}

export type OutputFor = (edge: number, amountIn: number) => number

/**
 * Like `outputFor` for edges in the state of the graph. It is fast even if the input fills many ranges or the whole
 * edge.
 */
export function untouchedOutputs({ graph }: Pick<PoolSimulation, 'graph'>): OutputFor {
  const { amountsIn, amountsOut } = capacitiesOf(graph)
  const { reserves } = graph
  return (edge, amountIn) => {
    if (amountIn >= (amountsIn[edge] as number)) return amountsOut[edge] as number
    const offset = edge * edgeSize
    const paid = reserves[offset + reserveIn] as number
    return amountIn <= (reserves[offset + capacity] as number)
      ? ((reserves[offset + reserveOut] as number) * amountIn) / (paid + amountIn)
      : outputWithin(rangeTableOf(graph, edge), amountIn)
  }
}

/** Four numbers for each range of an edge: the totals of input and output before it, and its reserves. */
type RangeTable = Float64Array

const tableOf = rememberByDirection<RangeTable>()

const rangeTableOf = (graph: PoolGraph, edge: number): RangeTable =>
  tableOf(graph.pools[poolOfEdge(edge)] as Pool, isZeroForOne(edge), () => readRanges(graph, edge))

function readRanges(graph: PoolGraph, edge: number): RangeTable {
  const steps: number[] = []
  walkRanges(graph, edge, (amountIn, amountOut, paid, bought) =>
    steps.push(amountIn, amountOut, paid, bought),
  )
  return Float64Array.from(steps)
}

/** @param amountIn less than the capacity of the edge. */
function outputWithin(table: RangeTable, amountIn: number): number {
  let low = 0
  let high = table.length / 4
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((table[4 * middle] as number) <= amountIn) low = middle
    else high = middle
  }
  const rest = amountIn - (table[4 * low] as number)
  const bought = table[4 * low + 3] as number
  return (table[4 * low + 1] as number) + (bought * rest) / ((table[4 * low + 2] as number) + rest)
}

/**
 * Caches a value per pool object and direction. A pool that does not change stays the same object, often for many
 * blocks. `make` computes a missing value.
 */
export function rememberByDirection<Value extends object | bigint>() {
  const known = new WeakMap<Pool, [Value?, Value?]>()
  return (pool: Pool, zeroForOne: boolean, make: () => Value): Value => {
    const values = known.get(pool) ?? []
    known.set(pool, values)
    const direction = zeroForOne ? 0 : 1
    const found = values[direction] ?? make()
    values[direction] = found
    return found
  }
}
