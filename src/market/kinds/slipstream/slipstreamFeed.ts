import { z } from 'zod'
import { ticksOf, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { SlipstreamPool } from '#src/core/pools/slipstream/slipstreamPool.ts'
import { applyPrice, encodePrice, price } from '#src/market/kinds/concentrated/concentratedFeed.ts'
import { poolFields } from '#src/market/kinds/feedFields.ts'
import type { FeedKind } from '#src/market/kinds/marketKind.ts'
import { address } from '#src/market/replica/wireValues.ts'

const whole = z.object({
  kind: z.literal('slipstream'),
  ...poolFields,
  tickSpacing: z.int(),
  ...price,
})
const change = z.object({
  kind: z.literal('slipstreamPrice'),
  address,
  fee: poolFields.fee,
  ...price,
})

export type Whole = z.output<typeof whole>
export type Change = z.output<typeof change>

/** Feed format of Slipstream pools: that of concentrated pools, with the fee. */
export const slipstreamFeed: FeedKind<SlipstreamPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'slipstreamPrice',
  includesFee: true,
  isSame: (one, other) => one.tickSpacing === other.tickSpacing,
  encodeWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  encodeChange: (pool, before) => ({ fee: pool.fee, ...encodePrice(pool, before) }),
  decodeWhole: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: (before, { fee, ...priceChange }) => ({ ...applyPrice(before, priceChange), fee }),
}
