import type { Pool } from '#src/pools/pool.ts'
import { createTopology, isZeroForOne, type Topology } from './pools/topology.ts'
import {
  edgeSize,
  type PoolShape,
  shapeOf,
  type VirtualReserves,
  writeReserves,
} from './pools/virtualReserves.ts'

/**
 * The pools of one chain, prepared for the router once per block. Immutable, so it can be the key of a cache. Only the
 * router reads its fields.
 */
export type PoolGraph = Readonly<{
  topology: Topology
  /** By number, as in the topology. */
  pools: readonly Pool[]
  shapes: readonly PoolShape[]
  reserves: VirtualReserves
}>

/** If two pools have the same address, the last one wins. The order has no other effect. */
export function createGraph(pools: readonly Pool[]): PoolGraph {
  const byAddress = new Map(pools.map((pool) => [pool.address, pool]))
  const sorted = [...byAddress.values()].sort((one, other) =>
    one.address < other.address ? -1 : 1,
  )
  const shapes = sorted.map(shapeOf)
  const reserves = new Float64Array(2 * sorted.length * edgeSize)
  sorted.forEach((pool, number) => {
    writePoolReserves(reserves, number, pool, shapes[number] as PoolShape)
  })
  return { topology: createTopology(sorted), pools: sorted, shapes, reserves }
}

/**
 * A new graph with some pools changed or added, matched by address. Unchanged parts are shared. A pool that was not in
 * the graph before costs as much as a whole new graph.
 */
export function updateGraph(graph: PoolGraph, changed: readonly Pool[]): PoolGraph {
  const { poolNumbers } = graph.topology
  const isKnown = ({ address, currency0, currency1 }: Pool) => {
    const known = graph.pools[poolNumbers.get(address) ?? -1]
    return known?.currency0 === currency0 && known.currency1 === currency1
  }
  if (!changed.every(isKnown)) return createGraph([...graph.pools, ...changed])
  const pools = graph.pools.slice()
  const shapes = graph.shapes.slice()
  const reserves = graph.reserves.slice()
  for (const pool of changed) {
    const number = poolNumbers.get(pool.address) as number
    const shape = shapeOf(pool)
    pools[number] = pool
    shapes[number] = shape
    writePoolReserves(reserves, number, pool, shape)
  }
  return { topology: graph.topology, pools, shapes, reserves }
}

/** In ascending order of address. */
export const poolsOf = (graph: PoolGraph): readonly Pool[] => graph.pools

/** `undefined` if the graph has no pool at the address. */
export const poolIn = (graph: PoolGraph, address: Pool['address']): Pool | undefined =>
  graph.pools[graph.topology.poolNumbers.get(address) ?? -1]

function writePoolReserves(
  reserves: VirtualReserves,
  number: number,
  pool: Pool,
  shape: PoolShape,
): void {
  for (const edge of [2 * number, 2 * number + 1])
    writeReserves(reserves, edge * edgeSize, pool, shape, isZeroForOne(edge))
}
