import type { Pool } from '#src/pools/pool.ts'
import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  reserveIn,
  reserveOut,
} from '#src/pools/virtualReserves.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import { outputFor, type PoolSimulation } from './poolSimulation.ts'
import { isZeroForOne, poolOfEdge } from './topology.ts'

/** The largest input of an edge that still buys something, and its output. */
export type EdgeCapacity = Readonly<{ amountIn: number; amountOut: number }>

/**
 * By pool and direction. To walk through all ranges of a pool takes long, and most pools stay as they are for many
 * blocks.
 */
const capacities = new WeakMap<Pool, [EdgeCapacity?, EdgeCapacity?]>()

/** The capacity of an edge in the state of the graph. */
export function edgeCapacity(graph: PoolGraph, edge: number): EdgeCapacity {
  const pool = graph.pools[poolOfEdge(edge)] as Pool
  const known = capacities.get(pool) ?? []
  capacities.set(pool, known)
  const direction = isZeroForOne(edge) ? 0 : 1
  const found = known[direction] ?? walkRanges(graph, edge)
  known[direction] = found
  return found
}

const scratch = new Float64Array(edgeSize)

function walkRanges({ reserves, shapes }: PoolGraph, edge: number): EdgeCapacity {
  for (let i = 0; i < edgeSize; i++) scratch[i] = reserves[edge * edgeSize + i] as number
  const shape = shapes[poolOfEdge(edge)] as PoolShape
  let amountIn = 0
  let amountOut = 0
  for (;;) {
    const capacityIn = scratch[capacity] as number
    if (capacityIn === Number.POSITIVE_INFINITY) return { amountIn, amountOut }
    amountIn += capacityIn
    amountOut +=
      ((scratch[reserveOut] as number) * capacityIn) / ((scratch[reserveIn] as number) + capacityIn)
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}

/** By edge; NaN where it is not known yet. */
type Capacities = Readonly<{ amountsIn: Float64Array; amountsOut: Float64Array }>

const capacitiesByGraph = new WeakMap<PoolGraph, Capacities>()

function capacitiesOf(graph: PoolGraph): Capacities {
  const known = capacitiesByGraph.get(graph)
  if (known !== undefined) return known
  const unknown = () => new Float64Array(2 * graph.pools.length).fill(Number.NaN)
  const made = { amountsIn: unknown(), amountsOut: unknown() }
  capacitiesByGraph.set(graph, made)
  return made
}

export type OutputFor = (edge: number, amountIn: number) => number

/** Like `outputFor` of edges in the state of the graph, but quick too where the input is more than an edge can take. */
export function untouchedOutputs(simulation: PoolSimulation): OutputFor {
  const { graph } = simulation
  const { amountsIn, amountsOut } = capacitiesOf(graph)
  return (edge, amountIn) => {
    if (Number.isNaN(amountsIn[edge])) {
      const found = edgeCapacity(graph, edge)
      amountsIn[edge] = found.amountIn
      amountsOut[edge] = found.amountOut
    }
    return amountIn >= (amountsIn[edge] as number)
      ? (amountsOut[edge] as number)
      : outputFor(simulation, edge, amountIn)
  }
}
