import type { Pool } from '#src/pools/pool.ts'
import { createTopology, isZeroForOne, type Topology } from './pools/topology.ts'
import {
  type Depths,
  depthSize,
  type PoolShape,
  readDepth,
  shapeOf,
} from './pools/virtualReserves.ts'

/**
 * The pools of one chain, prepared between blocks for the search of routes. A value like any other:
 * nothing that is read from it ever changes. Only the router looks inside.
 */
export type PoolGraph = Readonly<{
  topology: Topology
  /** By number, as in the topology. */
  pools: readonly Pool[]
  shapes: readonly PoolShape[]
  depths: Depths
}>

/** Where two pools have one address, the last one counts. The order is of no further consequence. */
export function createGraph(pools: readonly Pool[]): PoolGraph {
  const byAddress = new Map(pools.map((pool) => [pool.address, pool]))
  const sorted = [...byAddress.values()].sort((one, other) =>
    one.address < other.address ? -1 : 1,
  )
  const shapes = sorted.map(shapeOf)
  const depths = new Float64Array(2 * sorted.length * depthSize)
  sorted.forEach((pool, number) => {
    readDepths(depths, number, pool, shapes[number] as PoolShape)
  })
  return { topology: createTopology(sorted), pools: sorted, shapes, depths }
}

/**
 * `graph` with some pools new or changed, as told by their addresses. What did not change is shared;
 * only a pool that was not there before costs as much as a new graph.
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
  const depths = graph.depths.slice()
  for (const pool of changed) {
    const number = poolNumbers.get(pool.address) as number
    const shape = shapeOf(pool)
    pools[number] = pool
    shapes[number] = shape
    readDepths(depths, number, pool, shape)
  }
  return { topology: graph.topology, pools, shapes, depths }
}

/** In ascending order of their addresses. */
export const poolsOf = (graph: PoolGraph): readonly Pool[] => graph.pools

/** `undefined` where it has none at the address. */
export const poolIn = (graph: PoolGraph, address: Pool['address']): Pool | undefined =>
  graph.pools[graph.topology.poolNumbers.get(address) ?? -1]

function readDepths(depths: Depths, number: number, pool: Pool, shape: PoolShape): void {
  for (const edge of [2 * number, 2 * number + 1])
    readDepth(depths, edge * depthSize, pool, shape, isZeroForOne(edge))
}
