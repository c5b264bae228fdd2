import { z } from 'zod'
import { ticksOf, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4Pool.ts'
import { toPips } from '#src/core/units/pips.ts'
import { applyPrice, encodePrice, price } from '#src/market/kinds/concentrated/concentratedFeed.ts'
import { poolFields } from '#src/market/kinds/feedFields.ts'
import type { FeedKind } from '#src/market/kinds/marketKind.ts'
import { address, managedPoolId } from '#src/market/replica/wireValues.ts'

const pips = z.number().transform(toPips)
const state = { ...price, protocolFees: z.object({ zeroForOne: pips, oneForZero: pips }) }

const whole = z.object({
  kind: z.literal('uniswapV4'),
  ...poolFields,
  id: managedPoolId,
  hasNative: z.literal(true).exactOptional(),
  tickSpacing: z.int(),
  ...state,
})
const change = z.object({ kind: z.literal('managed'), address, id: managedPoolId, ...state })

export type Whole = z.output<typeof whole>
export type Change = z.output<typeof change>

/** Feed format of Uniswap v4 pools: that of concentrated pools, with the protocol fees. */
export const uniswapV4Feed: FeedKind<UniswapV4Pool, Whole, Change> = {
  whole,
  change,
  changeKind: 'managed',
  isSame: (one, other) =>
    one.tickSpacing === other.tickSpacing && one.hasNative === other.hasNative,
  encodeWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  encodeChange: (pool, before) => ({
    ...encodePrice(pool, before),
    protocolFees: pool.protocolFees,
  }),
  decodeWhole: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: (before, change) => ({
    ...applyPrice(before, change),
    protocolFees: change.protocolFees,
  }),
}
