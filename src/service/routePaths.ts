import { kindOf } from '#src/core/pools/pool.ts'
import type { ManagedPoolId } from '#src/core/pools/poolKind.ts'
import type { Leg } from '#src/core/pricing/price.ts'
import type { Hop } from '#src/core/router/route.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivDown } from '#src/core/units/arithmetic.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Pips } from '#src/core/units/pips.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'

/** One path of a leg: the pools that swap a share of its input. */
export type RoutePath = Readonly<{
  /** Rounded so that the shares of a leg sum to 10,000. */
  share: Bps
  hops: readonly RouteHop[]
}>

/** One pool of a path. */
export type RouteHop = Readonly<{
  chainId: ChainId
  /** Contract that is called for the swap: the pool, or its manager. */
  pool: Account
  /** Id of the pool in its manager; null if the pool has its own contract. */
  poolId: ManagedPoolId | null
  swapSource: string
  /** Fee on the input in pips, including the protocol fee. */
  fee: Pips
  /** ERC-20 addresses: the address of the wrapped currency for the native one. */
  input: Account
  output: Account
  amountIn: Amount
  amountOut: Amount
  /** Amount of `output` that the pool can pay out before the price of `output` in it doubles. */
  depth: Amount
}>

/** The paths of a leg, in the order of execution; empty without a swap. */
export function routePaths({ route }: Pick<Leg, 'route'>): readonly RoutePath[] {
  if (route === undefined) return []
  let before = 0n
  return route.paths.map(({ amountIn, hops }) => {
    const from = shareOf(before, route.amountIn)
    before += amountIn
    return { share: toBps(shareOf(before, route.amountIn) - from), hops: hops.map(toRouteHop) }
  })
}

/** `part` of `whole` in basis points, rounded down. */
const shareOf = (part: bigint, whole: bigint): bigint => mulDivDown(part, wholeBps, whole)

function toRouteHop({ pool, zeroForOne, amountIn, amountOut }: Hop): RouteHop {
  const { chainId, address, id, source, fee, currency0, currency1 } = pool
  const { amount0, amount1 } = depthOf(pool)
  return {
    chainId,
    pool: address,
    poolId: id ?? null,
    swapSource: source,
    fee: kindOf(pool).feeOf?.(pool, zeroForOne) ?? fee,
    input: zeroForOne ? currency0 : currency1,
    output: zeroForOne ? currency1 : currency0,
    amountIn,
    amountOut,
    depth: toAmount(zeroForOne ? amount1 : amount0),
  }
}
