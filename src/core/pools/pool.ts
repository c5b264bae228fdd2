import type { kinds } from './kinds.ts'
import type { PoolKind } from './poolKind.ts'
import type { SwapOf } from './swapMode.ts'

type StateOf<Kind> = Kind extends PoolKind<infer State> ? State : never

/** Everything about a pool at one block that affects swaps: a tagged union of the kinds of the table. */
export type Pool = StateOf<(typeof kinds)[keyof typeof kinds]>

/** One swap in one pool of any kind, with the pool after it. */
export type PoolSwap = SwapOf<Pool>
