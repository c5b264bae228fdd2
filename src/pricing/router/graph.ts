import { kindOf } from '#src/pools/kindOf.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/pools/poolIdentity.ts'
import {
  closeEdge,
  edgeSize,
  type PoolShape,
  type VirtualReserves,
} from '#src/pools/virtualReserves.ts'
import { createTopology, isZeroForOne, type Topology } from './pools/topology.ts'

/**
 * The pools of one chain, prepared for the router once per block. Immutable, so it can be the key of a cache. Only the
 * router reads its fields.
 */
export type PoolGraph = Readonly<{
  topology: Topology
  /** By number, as in the topology. */
  pools: readonly Pool[]
  shapes: readonly PoolShape[]
  /** By pool: gas units of a hop, as in its shape. */
  hopGas: Float64Array
  reserves: VirtualReserves
}>

/** If two pools have the same id, the last one wins. The order has no other effect. */
export function createGraph(pools: readonly Pool[]): PoolGraph {
  const byId = new Map(pools.map((pool) => [poolIdOf(pool), pool]))
  const sorted = [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, pool]) => pool)
  const shapes = sorted.map(shapeOf)
  const reserves = new Float64Array(2 * sorted.length * edgeSize)
  sorted.forEach((pool, number) => {
    writePoolReserves(reserves, number, pool, shapes[number] as PoolShape)
  })
  const hopGas = Float64Array.from(shapes, (shape) => shape.hopGas)
  return { topology: createTopology(sorted), pools: sorted, shapes, hopGas, reserves }
}

/** By the pools of an updated graph: those of the graph before it, and the numbers that have another state. */
const changes = new WeakMap<
  readonly Pool[],
  Readonly<{ before: WeakRef<readonly Pool[]>; numbers: ReadonlySet<number> }>
>()

/**
 * The numbers of the pools that an update has changed, for those who would compare all of them: the others are the same.
 * Undefined unless both are the pools of graphs, the one updated from the other.
 */
export function changedBetween(
  before: readonly Pool[],
  after: readonly Pool[],
): ReadonlySet<number> | undefined {
  const change = changes.get(after)
  return change?.before.deref() === before ? change.numbers : undefined
}

/**
 * A new graph with some pools changed or added, matched by id. Unchanged parts are shared. A pool that was not in
 * the graph before costs as much as a whole new graph.
 */
export function updateGraph(graph: PoolGraph, changed: readonly Pool[]): PoolGraph {
  const { poolNumbers } = graph.topology
  const isKnown = (pool: Pool) => {
    const known = graph.pools[poolNumbers.get(poolIdOf(pool)) ?? -1]
    return (
      known?.kind === pool.kind &&
      known.currency0 === pool.currency0 &&
      known.currency1 === pool.currency1 &&
      known.hasNative === pool.hasNative
    )
  }
  if (!changed.every(isKnown)) return createGraph([...graph.pools, ...changed])
  const pools = graph.pools.slice()
  const shapes = graph.shapes.slice()
  const hopGas = graph.hopGas.slice()
  const reserves = graph.reserves.slice()
  const numbers = new Set<number>()
  for (const pool of changed) {
    const number = poolNumbers.get(poolIdOf(pool)) as number
    const shape = shapeOf(pool)
    pools[number] = pool
    shapes[number] = shape
    hopGas[number] = shape.hopGas
    writePoolReserves(reserves, number, pool, shape)
    numbers.add(number)
  }
  changes.set(pools, { before: new WeakRef(graph.pools), numbers })
  return { topology: graph.topology, pools, shapes, hopGas, reserves }
}

/**
 * The graph of these pools, each once, and of no others. Where `graph` has the same ones, maybe in other states, it costs
 * no more than `updateGraph`; without a change it is `graph` itself.
 */
export function regraph(graph: PoolGraph, pools: readonly Pool[]): PoolGraph {
  const { poolNumbers } = graph.topology
  if (pools.length !== poolNumbers.size) return createGraph(pools)
  const changed: Pool[] = []
  for (const pool of pools) {
    const number = poolNumbers.get(poolIdOf(pool))
    if (number === undefined) return createGraph(pools)
    if (graph.pools[number] !== pool) changed.push(pool)
  }
  return changed.length === 0 ? graph : updateGraph(graph, changed)
}

const steady = new WeakMap<PoolGraph, PoolGraph>()

/** The graph without the pools whose fee moves: the same one if it has none. */
export function withSteadyFees(graph: PoolGraph): PoolGraph {
  const { movingFees } = graph.topology
  if (movingFees === undefined) return graph
  const known = steady.get(graph)
  if (known !== undefined) return known
  const made = createGraph(graph.pools.filter((_, number) => movingFees[number] === 0))
  steady.set(graph, made)
  return made
}

/** In ascending order of id. */
export const poolsOf = (graph: PoolGraph): readonly Pool[] => graph.pools

/** `undefined` if the graph has no such pool. */
export const poolIn = (graph: PoolGraph, id: PoolId): Pool | undefined =>
  graph.pools[graph.topology.poolNumbers.get(id) ?? -1]

function writePoolReserves(
  reserves: VirtualReserves,
  number: number,
  pool: Pool,
  shape: PoolShape,
): void {
  const kind = kindOf(pool)
  for (const edge of [2 * number, 2 * number + 1]) {
    const offset = edge * edgeSize
    closeEdge(reserves, offset)
    kind.writeReserves(reserves, offset, pool, shape, isZeroForOne(edge))
  }
}

const shapeOf = (pool: Pool): PoolShape => kindOf(pool).shape(pool)
