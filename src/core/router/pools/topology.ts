import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import type { Address } from '#src/core/units/address.ts'

/**
 * The graph of currencies (nodes) and pools. Currencies and pools are numbered by ascending address and id. An edge is
 * one pool in one direction: edge 2p swaps currency0 of pool p for currency1, edge 2p + 1 the other way round.
 */
export type Topology = Readonly<{
  poolNumbers: ReadonlyMap<PoolId, number>
  currencyNumbers: ReadonlyMap<Address, number>
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
export function createTopology(pools: readonly Pool[]): Topology {
  const currencies = new Set<Address>()
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
