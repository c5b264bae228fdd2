import type { Pool } from '#src/pools/pool.ts'
import { swapExactInput } from '#src/pools/swap.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import type { BenchQuery } from './marketFile.ts'

/** Paths one after the other, each with its own input. */
type PathTrade = Readonly<{
  kind: 'paths'
  paths: readonly Readonly<{ pools: readonly Address[]; amountIn: bigint }>[]
}>

/** Swaps one after the other, each of a share of what there is of a currency by then. */
type LegTrade = Readonly<{
  kind: 'legs'
  legs: readonly Readonly<{ pool: Address; from: Address; share: number }>[]
}>

/** What an engine would have done with the query's amount. */
export type Trade = PathTrade | LegTrade

/** What a trade gives, to the unit: every swap finds its pool as those before have left it. */
export function executeTrade(
  pools: ReadonlyMap<Address, Pool>,
  query: BenchQuery,
  trade: Trade,
): bigint {
  const swap = createSwapper(pools)
  return trade.kind === 'paths'
    ? trade.paths.reduce((sum, path) => sum + followPath(swap, query, path), 0n)
    : followLegs(swap, query, trade)
}

type Swapped = Readonly<{ to: Address; amountOut: bigint }>
type Swapper = (address: Address, from: Address, amountIn: bigint) => Swapped

/** Where a pool cannot take an amount, nothing comes out. */
function createSwapper(pools: ReadonlyMap<Address, Pool>): Swapper {
  const standing = new Map(pools)
  return (address, from, amountIn) => {
    const pool = standing.get(address)
    if (pool === undefined) throw new Error(`No pool ${address}`)
    const zeroForOne = pool.currency0 === from
    const swapped = swapExactInput(pool, zeroForOne, toAmount(amountIn))
    if (swapped !== undefined) standing.set(address, swapped.next)
    const to = zeroForOne ? pool.currency1 : pool.currency0
    return { to, amountOut: swapped?.amountOut ?? 0n }
  }
}

function followPath(
  swap: Swapper,
  query: BenchQuery,
  { pools, amountIn }: PathTrade['paths'][number],
): bigint {
  let held: Swapped = { to: query.input, amountOut: amountIn }
  for (const pool of pools) held = swap(pool, held.to, held.amountOut)
  if (held.to !== query.output) throw new Error('A path ends elsewhere')
  return held.amountOut
}

const wholeShare = 2 ** 40

function followLegs(swap: Swapper, query: BenchQuery, { legs }: LegTrade): bigint {
  const holdings = new Map<Address, bigint>([[query.input, query.amount]])
  for (const { pool, from, share } of legs) {
    const held = holdings.get(from) ?? 0n
    const amountIn = (held * BigInt(Math.round(share * wholeShare))) / BigInt(wholeShare)
    const { to, amountOut } = swap(pool, from, amountIn)
    holdings.set(from, held - amountIn)
    holdings.set(to, (holdings.get(to) ?? 0n) + amountOut)
  }
  return holdings.get(query.output) ?? 0n
}
