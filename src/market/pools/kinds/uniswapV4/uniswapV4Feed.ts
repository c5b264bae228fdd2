import { z } from 'zod'
import { address, managedPoolId } from '#src/market/feed/wireValues.ts'
import {
  applyPrice,
  price,
  tellPrice,
} from '#src/market/pools/kinds/concentrated/concentratedFeed.ts'
import { poolFields } from '#src/market/pools/kinds/feedFields.ts'
import type { FeedKind } from '#src/market/pools/kinds/marketKind.ts'
import { ticksOf, toTickMap } from '#src/pools/concentrated/tickMap.ts'
import type { UniswapV4Pool } from '#src/pools/uniswapV4/uniswapV4Pool.ts'
import { toPips } from '#src/units/pips.ts'

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

/** A pool of Uniswap v4 in messages of the feed: as a concentrated one, with the fees of the protocol. */
export const uniswapV4Feed: FeedKind<UniswapV4Pool, Whole, Change> = {
  whole,
  change,
  changeKind: 'managed',
  isSame: (one, other) =>
    one.tickSpacing === other.tickSpacing && one.hasNative === other.hasNative,
  tellWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  tellChange: (pool, before) => ({
    ...tellPrice(pool, before),
    protocolFees: pool.protocolFees,
  }),
  open: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: (before, told) => ({
    ...applyPrice(before, told),
    protocolFees: told.protocolFees,
  }),
}
