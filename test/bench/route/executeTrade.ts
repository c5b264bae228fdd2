import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { BenchQuery } from './marketFile.ts'

/** Paths that execute one after the other, each with its own input. */
type PathTrade = Readonly<{
  kind: 'paths'
  paths: readonly Readonly<{ pools: readonly Address[]; amountIn: bigint }>[]
}>

/** Swaps that execute one after the other. Each sells a share of the current balance of its currency. */
type LegTrade = Readonly<{
  kind: 'legs'
  legs: readonly Readonly<{ pool: Address; from: Address; share: number }>[]
}>

/** The trade that an engine would make with the query’s amount. */
export type Trade = PathTrade | LegTrade

/** Exact output of a trade in raw units. Each swap updates its pool for the swaps that follow. */
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

/** A swap that its pool cannot execute has zero output. */
function createSwapper(pools: ReadonlyMap<Address, Pool>): Swapper {
  const current = new Map(pools)
  return (address, from, amountIn) => {
    const pool = current.get(address)
    if (pool === undefined) throw new Error(`No pool ${address}`)
    const zeroForOne = pool.currency0 === from
    const swapped = swapExactInput(pool, zeroForOne, toAmount(amountIn))
    if (swapped !== undefined) current.set(address, swapped.next)
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
  const balances = new Map<Address, bigint>([[query.input, query.amount]])
  for (const { pool, from, share } of legs) {
    const held = balances.get(from) ?? 0n
    const amountIn = (held * BigInt(Math.round(share * wholeShare))) / BigInt(wholeShare)
    const { to, amountOut } = swap(pool, from, amountIn)
    balances.set(from, held - amountIn)
    balances.set(to, (balances.get(to) ?? 0n) + amountOut)
  }
  return balances.get(query.output) ?? 0n
}
