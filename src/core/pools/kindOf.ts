import { kinds } from './kinds.ts'
import type { Pool } from './pool.ts'
import type { PoolKind } from './poolKind.ts'

/** The functions and constants of the kind of a pool. */
export const kindOf = (pool: Pool): PoolKind<Pool> =>
  // `pool.kind` selects the entry for this type of state, which the compiler cannot infer.
  kinds[pool.kind] as unknown as PoolKind<Pool>
