import fc from 'fast-check'
import {
  changeLiquidity,
  maxTick,
  minTick,
  ticksOf,
  toTickMap,
} from '#src/pools/concentrated/tickMap.ts'
import {
  getSqrtRatioAtTick,
  highestSqrtPrice,
  lowestSqrtPrice,
} from '#src/pools/concentrated/tickMath.ts'
import type { ConcentratedPool, ConstantProductPool, Pool, SwapMode } from '#src/pools/pool.ts'
import { toAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { toPips } from '#src/units/pips.ts'

const identity = {
  chainId: toChainId(1),
  address: toAddress('0x00000000000000000000000000000000000000aa'),
  source: 'test',
  currency0: toAddress('0x0000000000000000000000000000000000000001'),
  currency1: toAddress('0x0000000000000000000000000000000000000002'),
}

/** Equally likely in each order of magnitude, from 2^`fromBits` to below 2^`toBits`. */
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

/** A pair with reserves up to half of what it can hold, at one of the fees in use. */
export const constantProductPool: fc.Arbitrary<ConstantProductPool> = fc
  .tuple(fc.constantFrom(3000, 2500, 2000, 100, 0), magnitude(10, 111), magnitude(10, 111))
  .map(([fee, reserve0, reserve1]) => pairOf(fee, reserve0, reserve1))

export type Position = Readonly<{ tickLower: number; tickUpper: number; liquidity: bigint }>

type Tier = Readonly<{ fee: number; tickSpacing: number }>

/** Fees and spacings that Uniswap v3 and its forks use. */
export const tiers: readonly Tier[] = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 2500, tickSpacing: 50 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10000, tickSpacing: 200 },
]

/**
 * Up to 12 positions: about the price, far around it, or over all ticks. With a spacing of 1 none is
 * that wide: it takes other implementations thousands of steps to walk through.
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

/** The price as a share of the way from a tick to the next, in 65,536ths; often none of it. */
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

/** The pool at a price after these positions were minted. */
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

/** A swap in any pool: `share` is of what the pool holds at its price, in parts of 2^32. */
export type Move = Readonly<{ zeroForOne: boolean; mode: SwapMode; share: bigint }>

/** From nothing to speak of up to several times what the pool holds. */
export const move: fc.Arbitrary<Move> = fc.record({
  zeroForOne: fc.boolean(),
  mode: fc.constantFrom('exactInput', 'exactOutput'),
  share: fc.oneof(magnitude(0, 35), magnitude(24, 33)),
})

/** How much of the given side's currency `share` is in this pool; at least 1. */
export function amountOf(pool: Pool, { zeroForOne, mode, share }: Move): Amount {
  const isCurrency0 = zeroForOne === (mode === 'exactInput')
  return toAmount((((isCurrency0 ? holding0(pool) : holding1(pool)) * share) >> 32n) + 1n)
}

function holding0(pool: Pool): bigint {
  if (pool.kind === 'constantProduct') return pool.reserve0
  return ((pool.liquidity || 10n ** 18n) << 96n) / pool.sqrtPriceX96
}

function holding1(pool: Pool): bigint {
  if (pool.kind === 'constantProduct') return pool.reserve1
  return ((pool.liquidity || 10n ** 18n) * pool.sqrtPriceX96) >> 96n
}

/**
 * A price limit just beyond the last position. A swap that gets there has more amount than the pool has
 * liquidity, and without the limit others would walk on through nothing, word by word.
 */
export function endOfLiquidity(pool: ConcentratedPool, zeroForOne: boolean): bigint {
  const outermost = ticksOf(pool.ticks).at(zeroForOne ? 0 : -1)?.index ?? 0
  if (outermost === minTick) return lowestSqrtPrice
  if (outermost === maxTick) return highestSqrtPrice
  return getSqrtRatioAtTick(outermost) + (zeroForOne ? -1n : 1n)
}
