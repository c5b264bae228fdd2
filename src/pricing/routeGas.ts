import type { Pool } from '#src/pools/pool.ts'
import type { Route } from './route.ts'

/**
 * Gas units as Uniswap's smart-order-router estimates them (v3/gas-costs.ts and
 * v2/v2-heuristic-gas-model.ts, mainnet): BASE_SWAP_COST, COST_PER_HOP and COST_PER_INIT_TICK of v3, and
 * COST_PER_EXTRA_HOP of v2.
 */
export const pathGas = 2_000n
export const hopGas = {
  constantProduct: 50_000n,
  concentrated: 80_000n,
} as const satisfies Record<Pool['kind'], bigint>
export const tickGas = 31_000n

/** What the swaps of a route cost, in gas units, without the transaction around them. */
export const routeGas = (route: Route): bigint =>
  route.paths.reduce(
    (sum, path) => path.hops.reduce((gas, hop) => gas + gasOfHop(hop), sum + pathGas),
    0n,
  )

const gasOfHop = ({ pool, ticksCrossed }: Route['paths'][number]['hops'][number]): bigint =>
  hopGas[pool.kind] + BigInt(ticksCrossed) * tickGas
