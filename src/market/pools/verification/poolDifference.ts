import type { Pool } from '#src/core/pools/pool.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'

/** Limits the size of a log line. */
const maxFields = 10

/** The differences between two states of one pool, by field, for the log. */
export function poolDifference(known: Pool, onChain: Pool): Readonly<Record<string, string>> {
  const before = marketKindOf(known).fields(known)
  const after = marketKindOf(onChain).fields(onChain)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  return Object.fromEntries(
    different
      .slice(0, maxFields)
      .map((name) => [name, `${before.get(name)} here, ${after.get(name)} on chain`]),
  )
}
