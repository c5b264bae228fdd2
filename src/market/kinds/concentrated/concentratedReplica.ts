import { z } from 'zod'
import type { ConcentratedPool, TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import {
  type Tick,
  type TickMap,
  ticksOf,
  toTickMap,
} from '#src/core/pools/concentrated/tickMap.ts'
import type { ReplicaKind } from '#src/market/kinds/marketKind.ts'
import { address, integer, poolFields } from '#src/market/kinds/wireValues.ts'

const tick = z.object({ index: z.int(), liquidityNet: integer, liquidityGross: integer })
/** In a change, a tick with `liquidityGross` 0 is removed. */
export const price = {
  sqrtPriceX96: integer,
  tick: z.int(),
  liquidity: integer,
  ticks: z.array(tick),
}

const whole = z.object({
  kind: z.literal('concentrated'),
  ...poolFields,
  tickSpacing: z.int(),
  ...price,
})
const change = z.object({ kind: z.literal('price'), address, ...price })

export type Whole = z.output<typeof whole>
export type Change = z.output<typeof change>

/** Replica format of concentrated pools. A change has the price, the liquidity and the changed ticks. */
export const concentratedReplica: ReplicaKind<ConcentratedPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'price',
  isSame: (one, other) => one.tickSpacing === other.tickSpacing,
  encodeWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  encodeChange: encodePrice,
  decodeWhole: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: applyPrice,
}

/** The price, the liquidity, and the ticks that differ from `before`. */
export function encodePrice(
  { sqrtPriceX96, tick: at, liquidity, ticks }: TickState,
  before: TickState,
): Omit<Change, 'kind' | 'address'> {
  return { sqrtPriceX96, tick: at, liquidity, ticks: changedTicks(ticks, before.ticks) }
}

/** @throws RangeError if the new state is impossible. */
export function applyPrice<State extends TickState>(
  before: State,
  { sqrtPriceX96, tick: at, liquidity, ticks }: Omit<Change, 'kind' | 'address'>,
): State {
  return {
    ...before,
    sqrtPriceX96,
    tick: at,
    liquidity,
    ticks: ticks.length === 0 ? before.ticks : mergeTicks(before.ticks, ticks),
  }
}

/** The ticks that differ from `before`. A removed tick is included with zero liquidity. */
function changedTicks(map: TickMap, before: TickMap): Tick[] {
  if (map === before) return []
  const known = new Map(ticksOf(before).map((each) => [each.index, each]))
  const changed = ticksOf(map).filter((each) => {
    const old = known.get(each.index)
    known.delete(each.index)
    return !(old?.liquidityNet === each.liquidityNet && old.liquidityGross === each.liquidityGross)
  })
  const gone = [...known.keys()].map((index) => ({ index, liquidityNet: 0n, liquidityGross: 0n }))
  return [...changed, ...gone]
}

function mergeTicks(map: TickMap, changed: readonly Tick[]): TickMap {
  const ticks = new Map(ticksOf(map).map((each) => [each.index, each]))
  for (const each of changed) ticks.set(each.index, each)
  return toTickMap([...ticks.values()], map.tickSpacing)
}
