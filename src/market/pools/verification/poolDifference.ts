import { ticksOf } from '#src/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/pools/pool.ts'

/** Limits the size of a log line. */
const maxFields = 10

/** The differences between two states of one pool, by field, for the log. */
export function poolDifference(known: Pool, onChain: Pool): Readonly<Record<string, string>> {
  const before = fieldsOf(known)
  const after = fieldsOf(onChain)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  return Object.fromEntries(
    different
      .slice(0, maxFields)
      .map((name) => [name, `${before.get(name)} here, ${after.get(name)} on chain`]),
  )
}

function fieldsOf(pool: Pool): ReadonlyMap<string, string> {
  switch (pool.kind) {
    case 'constantProduct':
      return new Map([
        ['reserve0', `${pool.reserve0}`],
        ['reserve1', `${pool.reserve1}`],
      ])
    case 'concentrated':
      return new Map([
        ['fee', `${pool.fee}`],
        ['sqrtPriceX96', `${pool.sqrtPriceX96}`],
        ['tick', `${pool.tick}`],
        ['liquidity', `${pool.liquidity}`],
        ...ticksOf(pool.ticks).map(
          ({ index, liquidityNet, liquidityGross }) =>
            [`tick ${index}`, `net ${liquidityNet} gross ${liquidityGross}`] as const,
        ),
      ])
  }
}
