import { z } from 'zod'
import { type Tick, type TickMap, ticksOf, toTickMap } from '#src/pools/concentrated/tickMap.ts'
import type { ConcentratedPool, Pool } from '#src/pools/pool.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toPips } from '#src/units/pips.ts'
import { address, integer } from './wireValues.ts'

const tick = z.object({ index: z.int(), liquidityNet: integer, liquidityGross: integer })

const identity = {
  address,
  source: z.string(),
  currency0: address,
  currency1: address,
  fee: z.number().transform(toPips),
}
const reserves = { reserve0: integer, reserve1: integer }
/** Of `ticks`, those without liquidity are removed. */
const price = { sqrtPriceX96: integer, tick: z.int(), liquidity: integer, ticks: z.array(tick) }

/** A pool as a message tells it: the whole of one that the reader does not know, else what has changed. */
export const poolChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('constantProduct'), ...identity, ...reserves }),
  z.object({ kind: z.literal('concentrated'), ...identity, tickSpacing: z.int(), ...price }),
  z.object({ kind: z.literal('reserves'), address, ...reserves }),
  z.object({ kind: z.literal('price'), address, ...price }),
])

export type PoolChange = z.output<typeof poolChange>

/** The same as it is sent. */
export type SentPoolChange = Readonly<Record<string, unknown>> & Readonly<{ kind: string }>

/** What a reader needs that knows `before`. */
export function poolChangeOf(pool: Pool, before: Pool | undefined): SentPoolChange {
  if (before === undefined || !isSamePool(pool, before)) return wholeOf(pool)
  const { address } = pool
  if (pool.kind === 'constantProduct') {
    const { reserve0, reserve1 } = pool
    return { kind: 'reserves', address, reserve0, reserve1 }
  }
  const { sqrtPriceX96, tick: at, liquidity } = pool
  const ticks = changedTicks(pool.ticks, (before as ConcentratedPool).ticks)
  return { kind: 'price', address, sqrtPriceX96, tick: at, liquidity, ticks }
}

const wholeOf = ({ chainId: _, ...pool }: Pool): SentPoolChange =>
  pool.kind === 'constantProduct' ? pool : { ...pool, ticks: ticksOf(pool.ticks) }

/** Whether only price or reserves differ. */
const isSamePool = (one: Pool, other: Pool): boolean =>
  one.kind === other.kind &&
  one.source === other.source &&
  one.currency0 === other.currency0 &&
  one.currency1 === other.currency1 &&
  one.fee === other.fee &&
  (one.kind !== 'concentrated' || one.tickSpacing === (other as ConcentratedPool).tickSpacing)

/** The ticks that differ from those of `before`, and those that are gone, without liquidity. */
function changedTicks(map: TickMap, before: TickMap): readonly Tick[] {
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

/**
 * The pool after the change.
 * @throws RangeError for a change of a pool that is not known or is of another kind, and for ticks that cannot be those of a pool.
 */
export function applyPoolChange(
  change: PoolChange,
  before: Pool | undefined,
  chainId: ChainId,
): Pool {
  switch (change.kind) {
    case 'constantProduct':
      return { chainId, ...change }
    case 'concentrated':
      return { chainId, ...change, ticks: toTickMap(change.ticks, change.tickSpacing) }
    case 'reserves': {
      if (before?.kind !== 'constantProduct') throw unknownPool(change.address)
      return { ...before, reserve0: change.reserve0, reserve1: change.reserve1 }
    }
    case 'price': {
      if (before?.kind !== 'concentrated') throw unknownPool(change.address)
      const { sqrtPriceX96, tick: at, liquidity, ticks } = change
      return {
        ...{ ...before, sqrtPriceX96, tick: at, liquidity },
        ticks: ticks.length === 0 ? before.ticks : mergeTicks(before.ticks, ticks),
      }
    }
  }
}

function mergeTicks(map: TickMap, changed: readonly Tick[]): TickMap {
  const ticks = new Map(ticksOf(map).map((each) => [each.index, each]))
  for (const each of changed) ticks.set(each.index, each)
  return toTickMap([...ticks.values()], map.tickSpacing)
}

const unknownPool = (pool: string) => new RangeError(`The feed changes an unknown pool: ${pool}`)
