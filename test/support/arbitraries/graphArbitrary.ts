import fc from 'fast-check'
import { getSqrtRatioAtTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import {
  concentratedPool,
  constantProductPool,
  inManager,
  magnitude,
  managedIdAt,
  pairOf,
  poolOf,
  positions,
  slipstreamPool,
  solidlyPool,
  uniswapV4Pool,
} from './poolArbitrary.ts'

/** The first currencies of every graph, sorted by address. */
export const currencyAt = (number: number): Address =>
  toAddress(`0x${(number + 1).toString(16).padStart(40, 'c')}`)

const addressOfPool = (number: number): Address =>
  toAddress(`0x${(number + 1).toString(16).padStart(40, 'd')}`)

/** The two currencies that a pool joins, sorted by address. */
const pairAmong = (currencies: number): fc.Arbitrary<readonly [number, number]> =>
  fc
    .uniqueArray(fc.nat(currencies - 1), { minLength: 2, maxLength: 2 })
    .map(([one = 0, other = 0]) => [Math.min(one, other), Math.max(one, other)] as const)

/** Up to 12 of these pools, between up to 6 currencies. */
const placed = (pool: fc.Arbitrary<Pool>): fc.Arbitrary<Pool[]> =>
  fc.integer({ min: 2, max: 6 }).chain((currencies) =>
    fc.array(fc.tuple(pairAmong(currencies), pool), { minLength: 1, maxLength: 12 }).map((pools) =>
      pools.map(([[zero, one], state], number) => ({
        ...state,
        // A manager has many pools.
        ...(state.id === undefined
          ? { address: addressOfPool(number) }
          : { id: managedIdAt(number) }),
        currency0: currencyAt(zero),
        currency1: currencyAt(one),
      })),
    ),
  )

/**
 * Pools of all kinds in any state. Their prices contradict each other, so cycles are profitable, and many pools
 * are one-sided or empty.
 */
export const wildPools = placed(
  fc.oneof(constantProductPool, concentratedPool, slipstreamPool, solidlyPool, uniswapV4Pool),
)

const reserve = magnitude(50, 100)
const deepConstantProduct = fc
  .tuple(fc.constantFrom(3000, 2500, 100), reserve, reserve)
  .map(([fee, reserve0, reserve1]) => pairOf(fee, reserve0, reserve1))

const deepConcentrated = fc
  .record({
    fee: fc.constantFrom(500, 3000),
    tick: fc.integer({ min: -60_000, max: 60_000 }),
    everywhere: magnitude(60, 90),
  })
  .chain(({ fee, tick, everywhere }) =>
    positions(60, tick).map((minted) =>
      poolOf(
        { fee, tickSpacing: 60 },
        // With a liquidity above 2^96 a price moves in steps of more than one unit, which floats cannot represent.
        [
          ...minted.map((position) => ({
            ...position,
            liquidity: (position.liquidity >> 14n) + 1n,
          })),
          { tickLower: -887_220, tickUpper: 887_220, liquidity: everywhere },
        ],
        { tick, sqrtPriceX96: getSqrtRatioAtTick(tick) },
      ),
    ),
  )

const deepSlipstream = deepConcentrated.map((pool): Pool => ({ ...pool, kind: 'slipstream' }))

/** The same, but each pool accepts any input up to 2^90. */
export const deepPools = placed(
  fc.oneof(deepConstantProduct, deepConcentrated, deepSlipstream, inManager(deepConcentrated)),
)

/** Pools between two currencies with 18 decimals, which hold a million units of each. */
export const poolsBetween = (pairs: readonly (readonly [number, number])[]): Pool[] =>
  pairs.map(([zero, one], number) => ({
    ...pairOf(3000, 10n ** 24n, 10n ** 24n),
    address: addressOfPool(number),
    currency0: currencyAt(Math.min(zero, one)),
    currency1: currencyAt(Math.max(zero, one)),
  }))
