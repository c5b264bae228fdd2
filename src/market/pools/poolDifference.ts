import type { Pool } from '#src/pools/pool.ts'
import { ticksOf } from '#src/pools/tickMap.ts'

/** A pool with everything wrong would fill the log. */
const mostFields = 10

/** What sets two states of one pool apart, by field, as text for the log. */
export function poolDifference(held: Pool, onChain: Pool): Readonly<Record<string, string>> {
  const before = fieldsOf(held)
  const after = fieldsOf(onChain)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  return Object.fromEntries(
    different
      .slice(0, mostFields)
      .map((name) => [name, `held ${before.get(name)}, on the chain ${after.get(name)}`]),
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
