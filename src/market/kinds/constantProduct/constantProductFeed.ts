import { z } from 'zod'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProductPool.ts'
import { poolFields } from '#src/market/kinds/feedFields.ts'
import type { FeedKind } from '#src/market/kinds/marketKind.ts'
import { address, integer } from '#src/market/replica/wireValues.ts'

const reserves = { reserve0: integer, reserve1: integer }
const whole = z.object({ kind: z.literal('constantProduct'), ...poolFields, ...reserves })
const change = z.object({ kind: z.literal('reserves'), address, ...reserves })

export type Whole = z.output<typeof whole>
export type Change = z.output<typeof change>

/** Feed format of pairs. A change has the reserves. */
export const constantProductFeed: FeedKind<ConstantProductPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'reserves',
  isSame: () => true,
  encodeWhole: ({ chainId: _, ...pool }) => pool,
  encodeChange: ({ reserve0, reserve1 }) => ({ reserve0, reserve1 }),
  decodeWhole: (pool) => pool,
  apply: (before, { reserve0, reserve1 }) => ({ ...before, reserve0, reserve1 }),
}
