import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'

/** The fields of a pool with ticks that are compared with the chain, by name. */
export const tickFields = (
  pool: Pick<PoolIdentity, 'fee'> & TickState,
): ReadonlyMap<string, string> =>
  new Map([
    ['fee', `${pool.fee}`],
    ['sqrtPriceX96', `${pool.sqrtPriceX96}`],
    ['tick', `${pool.tick}`],
    ['liquidity', `${pool.liquidity}`],
    ...ticksOf(pool.ticks).map(
      ({ index, liquidityNet, liquidityGross }) =>
        [`tick ${index}`, `net ${liquidityNet} gross ${liquidityGross}`] as const,
    ),
  ])
