import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import {
  closeEdge,
  edgeSize,
  type PoolShape,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import type { Account } from '#src/core/units/address.ts'

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
export const createGraph = (pools: readonly Pool[]): PoolGraph => addPools(emptyGraph, pools)

const emptyGraph: PoolGraph = {
  topology: createTopology([]),
  pools: [],
  shapes: [],
  hopGas: new Float64Array(),
  reserves: new Float64Array(),
}

/**
 * The graph with these pools added. They replace pools of the same id. The reserves of pools that are the same object
 * are copied.
 */
function addPools(graph: PoolGraph, added: readonly Pool[]): PoolGraph {
  const newest = new Map(added.map((pool) => [poolIdOf(pool), pool]))
  const others = graph.pools.filter((pool) => !newest.has(poolIdOf(pool)))
  const pools = mergeById(
    others,
    [...newest.keys()].sort().map((id) => newest.get(id) as Pool),
  )
  const { poolNumbers } = graph.topology
  const shapes: PoolShape[] = []
  const reserves = new Float64Array(2 * pools.length * edgeSize)
  for (const [number, pool] of pools.entries()) {
    const before = poolNumbers.get(poolIdOf(pool))
    const shape = shapeOf(pool)
    shapes.push(shape)
    if (before === undefined || graph.pools[before] !== pool)
      writePoolReserves(reserves, number, pool, shape)
    else copyPoolReserves(graph.reserves, before, reserves, number)
  }
  const hopGas = Float64Array.from(shapes, (shape) => shape.hopGas)
  return { topology: createTopology(pools), pools, shapes, hopGas, reserves }
}

/** Merges two lists that are in ascending order of id and have no id in common. */
function mergeById(some: readonly Pool[], others: readonly Pool[]): readonly Pool[] {
  const merged: Pool[] = []
  let next = 0
  for (const pool of some) {
    for (; next < others.length && poolIdOf(others[next] as Pool) < poolIdOf(pool); next += 1)
      merged.push(others[next] as Pool)
    merged.push(pool)
  }
  for (; next < others.length; next += 1) merged.push(others[next] as Pool)
  return merged
}

/**
 * The identity of a list of pools, which does not keep the list in memory. A WeakRef would: it keeps its target until a
 * full garbage collection.
 */
type Version = Readonly<object>

const versions = new WeakMap<readonly Pool[], Version>()

function versionOf(pools: readonly Pool[]): Version {
  const known = versions.get(pools)
  if (known !== undefined) return known
  const version = {}
  versions.set(pools, version)
  return version
}

/**
 * By the pools of an updated graph: the version of the pools before the update, and the numbers of the pools that
 * changed.
 */
const changes = new WeakMap<
  readonly Pool[],
  Readonly<{ before: Version; numbers: ReadonlySet<number> }>
>()

/**
 * The numbers of the pools that an update has changed; all other pools are the same objects. `undefined` unless both
 * lists are the pools of graphs, and `updateGraph` made the second graph from the first.
 */
export function changedBetween(
  before: readonly Pool[],
  after: readonly Pool[],
): ReadonlySet<number> | undefined {
  const change = changes.get(after)
  return change !== undefined && change.before === versionOf(before) ? change.numbers : undefined
}

/**
 * A new graph with some pools changed or added, matched by id. Unchanged parts are shared. A pool that was not in
 * the graph before costs a new topology.
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
  if (!changed.every(isKnown)) return addPools(graph, changed)
  const pools = graph.pools.slice()
  const shapes = graph.shapes.slice()
  const reserves = graph.reserves.slice()
  let { hopGas } = graph
  const numbers = new Set<number>()
  for (const pool of changed) {
    const number = poolNumbers.get(poolIdOf(pool)) as number
    const shape = shapeOf(pool)
    pools[number] = pool
    shapes[number] = shape
    // A pool rarely changes its gas, so most graphs share one array.
    if (hopGas[number] !== shape.hopGas) hopGas = hopGas.with(number, shape.hopGas)
    writePoolReserves(reserves, number, pool, shape)
    numbers.add(number)
  }
  changes.set(pools, { before: versionOf(graph.pools), numbers })
  return { topology: graph.topology, pools, shapes, hopGas, reserves }
}

/**
 * The graph of exactly these pools, each given once. If no pool of `graph` is missing, it costs no more than
 * `updateGraph`. Without a change it is `graph` itself.
 */
export function regraph(graph: PoolGraph, pools: readonly Pool[]): PoolGraph {
  const { poolNumbers } = graph.topology
  const changed: Pool[] = []
  let added = 0
  for (const pool of pools) {
    const number = poolNumbers.get(poolIdOf(pool))
    if (number === undefined) added += 1
    if (number === undefined || graph.pools[number] !== pool) changed.push(pool)
  }
  if (pools.length - added !== poolNumbers.size) return createGraph(pools)
  return changed.length === 0 ? graph : updateGraph(graph, changed)
}

const steady = new WeakMap<PoolGraph, PoolGraph>()

/** The graph without pools whose fee moves; `graph` itself if it has none. */
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

function copyPoolReserves(
  from: VirtualReserves,
  fromNumber: number,
  to: VirtualReserves,
  toNumber: number,
): void {
  const [start, end] = [2 * fromNumber * edgeSize, 2 * (fromNumber + 1) * edgeSize]
  for (let at = start, into = 2 * toNumber * edgeSize; at < end; at += 1, into += 1)
    to[into] = from[at] as number
}

const shapeOf = (pool: Pool): PoolShape => kindOf(pool).shape(pool)

/**
 * The graph of currencies (nodes) and pools. Currencies and pools are numbered by ascending address and id. An edge is
 * one pool in one direction: edge 2p swaps currency0 of pool p for currency1, edge 2p + 1 the other way round.
 */
export type Topology = Readonly<{
  poolNumbers: ReadonlyMap<PoolId, number>
  currencyNumbers: ReadonlyMap<Account, number>
  /** By edge: the number of its input currency, and of its output currency. */
  inputs: Int32Array
  outputs: Int32Array
  /** By currency: the edges whose input it is. */
  edgesFrom: readonly (readonly number[])[]
  adjacency: Adjacency
  /** Whether a pool has the native currency itself. */
  hasNative: boolean
  /** By pool: 1 if its fee moves. Undefined if none does. */
  movingFees: Uint8Array | undefined
}>

/**
 * The edges that leave each currency, in flat arrays. The edges of currency c have the indexes from `offsets[c]` to
 * `offsets[c + 1] - 1`.
 */
export type Adjacency = Readonly<{
  offsets: Int32Array
  edges: Int32Array
  /** The output of each edge. */
  neighbours: Int32Array
}>

/** @param pools in ascending order of id, without duplicates. */
function createTopology(pools: readonly Pool[]): Topology {
  const currencies = new Set<Account>()
  for (const { currency0, currency1 } of pools) currencies.add(currency0).add(currency1)
  const currencyNumbers = new Map(
    [...currencies].sort().map((address, number) => [address, number]),
  )
  const poolNumbers = new Map(pools.map((pool, number) => [poolIdOf(pool), number]))
  const inputs = new Int32Array(2 * pools.length)
  const outputs = new Int32Array(2 * pools.length)
  const edgesFrom: number[][] = Array.from(currencyNumbers, () => [])
  pools.forEach(({ currency0, currency1 }, pool) => {
    const edge = 2 * pool
    const number0 = currencyNumbers.get(currency0) as number
    const number1 = currencyNumbers.get(currency1) as number
    inputs[edge] = outputs[edge + 1] = number0
    inputs[edge + 1] = outputs[edge] = number1
    edgesFrom[number0]?.push(edge)
    edgesFrom[number1]?.push(edge + 1)
  })
  const hasNative = pools.some((pool) => pool.hasNative)
  const moving = Uint8Array.from(pools, (pool) => (kindOf(pool).hasMovingFee ? 1 : 0))
  const movingFees = moving.includes(1) ? moving : undefined
  const adjacency = createAdjacency(edgesFrom, outputs)
  return {
    poolNumbers,
    currencyNumbers,
    inputs,
    outputs,
    edgesFrom,
    adjacency,
    hasNative,
    movingFees,
  }
}

function createAdjacency(
  edgesFrom: readonly (readonly number[])[],
  outputs: Int32Array,
): Adjacency {
  const offsets = new Int32Array(edgesFrom.length + 1)
  edgesFrom.forEach(({ length }, currency) => {
    offsets[currency + 1] = (offsets[currency] as number) + length
  })
  const edges = Int32Array.from(edgesFrom.flat())
  return { offsets, edges, neighbours: edges.map((edge) => outputs[edge] as number) }
}

export const poolOfEdge = (edge: number): number => edge >> 1

/** The same pool in the other direction. */
export const reverseEdge = (edge: number): number => edge ^ 1

export const isZeroForOne = (edge: number): boolean => (edge & 1) === 0
