import { z } from 'zod'
import type { SolidlyPool } from '#src/core/pools/solidly/solidlyPool.ts'
import { poolFields } from '#src/market/kinds/feedFields.ts'
import type { FeedKind } from '#src/market/kinds/marketKind.ts'
import { address, integer } from '#src/market/replica/wireValues.ts'

const state = { reserve0: integer, reserve1: integer, isPaused: z.boolean() }
const whole = z.object({
  kind: z.literal('solidly'),
  ...poolFields,
  stable: z.boolean(),
  unit0: integer,
  unit1: integer,
  ...state,
})
const change = z.object({ kind: z.literal('solidlyState'), address, ...state })

export type Whole = z.output<typeof whole>
export type Change = z.output<typeof change>

/**
 * Feed format of Solidly pools. A change has the reserves and `isPaused`. After a change of the fee the pool is sent
 * whole.
 */
export const solidlyFeed: FeedKind<SolidlyPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'solidlyState',
  isSame: (one, other) =>
    one.stable === other.stable && one.unit0 === other.unit0 && one.unit1 === other.unit1,
  encodeWhole: ({ chainId: _, ...pool }) => pool,
  encodeChange: ({ reserve0, reserve1, isPaused }) => ({ reserve0, reserve1, isPaused }),
  decodeWhole: (pool) => pool,
  apply: (before, { reserve0, reserve1, isPaused }) => ({
    ...before,
    reserve0,
    reserve1,
    isPaused,
  }),
}
