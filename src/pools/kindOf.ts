import { kinds } from './kinds.ts'
import type { Pool } from './pool.ts'
import type { PoolKind } from './poolKind.ts'

/** What the kind of a pool says of its pools. */
export const kindOf = (pool: Pool): PoolKind<Pool> =>
  // The table has the kind of this very state under its name, which the compiler cannot follow.
  kinds[pool.kind] as unknown as PoolKind<Pool>
