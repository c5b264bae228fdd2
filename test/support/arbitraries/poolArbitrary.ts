import fc from 'fast-check'
import type { ConcentratedPool, TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import {
  changeLiquidity,
  getSqrtRatioAtTick,
  highestSqrtPrice,
  lowestSqrtPrice,
  maxTick,
  minTick,
  ticksOf,
  toTickMap,
} from '#src/core/pools/concentrated/tickMap.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type ManagedPoolId, type SwapMode, toManagedPoolId } from '#src/core/pools/poolKind.ts'
import type { SlipstreamPool } from '#src/core/pools/slipstream/slipstream.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import type { UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'

const identity = {
  chainId: toChainId(1),
  address: toAddress('0x00000000000000000000000000000000000000aa'),
  source: 'test',
  currency0: toAddress('0x0000000000000000000000000000000000000001'),
  currency1: toAddress('0x0000000000000000000000000000000000000002'),
}

/** Log-uniform integers from 2^`fromBits` to below 2^`toBits`. */
export const magnitude = (fromBits: number, toBits: number): fc.Arbitrary<bigint> =>
  fc
    .integer({ min: fromBits, max: toBits - 1 })
    .chain((bits) => fc.bigInt(1n << BigInt(bits), (1n << BigInt(bits + 1)) - 1n))

export const pairOf = (fee: number, reserve0: bigint, reserve1: bigint): ConstantProductPool => ({
  ...identity,
  kind: 'constantProduct',
  fee: toPips(fee),
  reserve0,
  reserve1,
})

/** A pair with reserves up to half of the maximum, and with a common fee. */
export const constantProductPool: fc.Arbitrary<ConstantProductPool> = fc
  .tuple(fc.constantFrom(3000, 2500, 2000, 100, 0), magnitude(10, 111), magnitude(10, 111))
  .map(([fee, reserve0, reserve1]) => pairOf(fee, reserve0, reserve1))

/**
 * Volatile and stable pools of currencies with common decimals. Stable pools range from balanced to nearly one-sided.
 */
export const solidlyPool: fc.Arbitrary<SolidlyPool> = fc
  .record({
    stable: fc.boolean(),
    bps: fc.constantFrom(0, 1, 5, 30, 300),
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 8, 18)),
    /** Reserve of currency0, in millionths of a whole unit. */
    size: magnitude(26, 60),
    /** Reserve of currency1 relative to that of currency0, in thousandths. */
    ratio: fc.oneof(fc.bigInt(900n, 1_100n), magnitude(4, 20)),
  })
  .map(({ stable, bps, decimals: [one, other], size, ratio }) => {
    const [unit0, unit1] = [10n ** BigInt(one), 10n ** BigInt(other)]
    return {
      ...identity,
      kind: 'solidly',
      fee: toPips(100 * bps),
      stable,
      unit0,
      unit1,
      isPaused: false,
      reserve0: (size * unit0) / 1_000_000n,
      reserve1: (size * ratio * unit1) / 1_000_000_000n,
    }
  })

export type Position = Readonly<{ tickLower: number; tickUpper: number; liquidity: bigint }>

type Tier = Readonly<{ fee: number; tickSpacing: number }>

/** Fees and tick spacings of Uniswap v3 and its forks. */
export const tiers: readonly Tier[] = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 2500, tickSpacing: 50 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10000, tickSpacing: 200 },
]

/**
 * Up to 12 positions: around the price, far from it, or full-range. With a tick spacing of 1 there are no full-
 * range positions, because other implementations need thousands of steps to cross them.
 */
export function positions(tickSpacing: number, centre: number): fc.Arbitrary<Position[]> {
  const least = Math.ceil(minTick / tickSpacing)
  const most = Math.floor(maxTick / tickSpacing)
  const middle = Math.min(Math.max(Math.floor(centre / tickSpacing), least), most)
  const within = (reach: number) =>
    fc.integer({ min: Math.max(middle - reach, least), max: Math.min(middle + reach, most) })
  const end = fc.oneof(
    { weight: 4, arbitrary: within(20) },
    { weight: 4, arbitrary: within(600) },
    { weight: 1, arbitrary: within(30_000) },
    { weight: tickSpacing === 1 ? 0 : 1, arbitrary: fc.constantFrom(least, most) },
  )
  const position = fc
    .record({ one: end, other: end, liquidity: magnitude(0, 110) })
    .filter(({ one, other }) => one !== other)
    .map(({ one, other, liquidity }) => ({
      tickLower: Math.min(one, other) * tickSpacing,
      tickUpper: Math.max(one, other) * tickSpacing,
      liquidity,
    }))
  return fc.array(position, { minLength: 1, maxLength: 12 })
}

/** The price’s distance from a tick, in 65,536ths of the distance to the next tick. It is often zero. */
const shareOfTick = fc.oneof(fc.constant(0n), fc.bigInt(0n, 65_535n))

const priceTick = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -60_000, max: 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: minTick, max: maxTick - 1 }) },
)

export const concentratedPoolOf = (tier: Tier): fc.Arbitrary<ConcentratedPool> =>
  fc.tuple(priceTick, shareOfTick).chain(([tick, share]) =>
    positions(tier.tickSpacing, tick).map((minted) => {
      const low = getSqrtRatioAtTick(tick)
      const sqrtPriceX96 = low + ((getSqrtRatioAtTick(tick + 1) - low) * share) / 65_536n
      return poolOf(tier, minted, { tick, sqrtPriceX96 })
    }),
  )

export const concentratedPool: fc.Arbitrary<ConcentratedPool> = fc.oneof(
  ...tiers.map(concentratedPoolOf),
)

const protocolFee = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 })).map(toPips)

/** The same pools with a fee that moves. */
export const slipstreamPool: fc.Arbitrary<SlipstreamPool> = concentratedPool.map((pool) => ({
  ...pool,
  kind: 'slipstream',
}))

/** The same pools in a manager, with fees of the protocol in either direction. */
export const inManager = (pool: fc.Arbitrary<ConcentratedPool>): fc.Arbitrary<UniswapV4Pool> =>
  fc
    .record({ pool, zeroForOne: protocolFee, oneForZero: protocolFee })
    .map(({ pool, ...protocolFees }) => ({
      ...pool,
      kind: 'uniswapV4',
      id: managedIdAt(0),
      protocolFees,
    }))

export const managedIdAt = (number: number): ManagedPoolId =>
  toManagedPoolId(`0x${(number + 1).toString(16).padStart(64, 'e')}`)

export const uniswapV4Pool = inManager(concentratedPool)

/** A pool at a given price after these positions were minted. */
export function poolOf(
  tier: Tier,
  minted: readonly Position[],
  price: Readonly<{ tick: number; sqrtPriceX96: bigint }>,
): ConcentratedPool {
  return {
    ...identity,
    kind: 'concentrated',
    fee: toPips(tier.fee),
    tickSpacing: tier.tickSpacing,
    ...price,
    liquidity: minted
      .filter(({ tickLower, tickUpper }) => tickLower <= price.tick && price.tick < tickUpper)
      .reduce((sum, { liquidity }) => sum + liquidity, 0n),
    ticks: minted.reduce(
      (map, { liquidity, ...range }) => changeLiquidity(map, range, liquidity),
      toTickMap([], tier.tickSpacing),
    ),
  }
}

/** A swap in any pool. `share` is relative to the pool’s balance at its price, in units of 2^-32. */
export type Move = Readonly<{ zeroForOne: boolean; mode: SwapMode; share: bigint }>

/** From nearly nothing to several times the pool’s balance. */
export const move: fc.Arbitrary<Move> = fc.record({
  zeroForOne: fc.boolean(),
  mode: fc.constantFrom('exactInput', 'exactOutput'),
  share: fc.oneof(magnitude(0, 35), magnitude(24, 33)),
})

/** Converts `share` to an amount of the given currency in this pool, at least 1. */
export function amountOf(pool: Pool, { zeroForOne, mode, share }: Move): Amount {
  const isCurrency0 = zeroForOne === (mode === 'exactInput')
  return toAmount((((isCurrency0 ? holding0(pool) : holding1(pool)) * share) >> 32n) + 1n)
}

function holding0(pool: Pool): bigint {
  if ('reserve0' in pool) return pool.reserve0
  return ((pool.liquidity || 10n ** 18n) << 96n) / pool.sqrtPriceX96
}

function holding1(pool: Pool): bigint {
  if ('reserve0' in pool) return pool.reserve1
  return ((pool.liquidity || 10n ** 18n) * pool.sqrtPriceX96) >> 96n
}

/**
 * A price limit just beyond the last position. A swap that reaches it has consumed all liquidity. Without the
 * limit, other implementations would search the empty tick bitmap word by word.
 */
export function endOfLiquidity(pool: TickState, zeroForOne: boolean): bigint {
  const outermost = ticksOf(pool.ticks).at(zeroForOne ? 0 : -1)?.index ?? 0
  if (outermost === minTick) return lowestSqrtPrice
  if (outermost === maxTick) return highestSqrtPrice
  return getSqrtRatioAtTick(outermost) + (zeroForOne ? -1n : 1n)
}
