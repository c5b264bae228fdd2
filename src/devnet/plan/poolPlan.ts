import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { type DeployedCurrency, worth } from './chainPlan.ts'

/** A `live` pool is tradable. The liquidity of a `drained` pool has been withdrawn. */
type PoolState = 'live' | 'drained'

type Planned = Readonly<{
  /** Symbols, in any order. */
  pair: readonly [string, string]
  /** Approximate liquidity of both sides together, in US dollars. */
  depthUsd: bigint
  state: PoolState
}>

export type PlannedPool = Planned &
  Readonly<
    | { version: 2 }
    /** A `live` pool of depth 0 is initialised and has no liquidity. */
    | { version: 3; fee: FeeTier }
  >

const v2 = (
  one: string,
  other: string,
  depthUsd: bigint,
  state: PoolState = 'live',
): PlannedPool => ({ version: 2, pair: [one, other], depthUsd, state })

const v3 = (
  one: string,
  other: string,
  fee: FeeTier,
  depthUsd: bigint,
  state: PoolState = 'live',
): PlannedPool => ({ version: 3, pair: [one, other], fee, depthUsd, state })

/**
 * The pools of a chain. GROVE has a pool only with BIRCH, and ELM only with DUNE, so that GROVE is three hops from the
 * native currency.
 */
export const poolPlans = (native: 'ETH' | 'BNB'): readonly PlannedPool[] => {
  const wrapped = `W${native}`
  return [
    v3('WBTC', 'DAI', 3000, 900_000n, 'drained'),
    v3('CEDAR', wrapped, 10_000, 0n),
    v3(wrapped, 'USDC', 500, 24_000_000n),
    v3(wrapped, 'USDC', 3000, 10_000_000n),
    v3(wrapped, 'USDC', 100, 3_000_000n),
    v3(wrapped, 'USDT', 500, 8_000_000n),
    v3(wrapped, 'USDT', 3000, 6_000_000n),
    v3(wrapped, 'DAI', 500, 2_000_000n),
    v3(wrapped, 'DAI', 3000, 4_000_000n),
    v3('WBTC', wrapped, 500, 12_000_000n),
    v3('WBTC', wrapped, 3000, 9_000_000n),
    v3('WBTC', 'USDC', 3000, 5_000_000n),
    v3('WBTC', 'USDT', 3000, 2_000_000n),
    v3('USDC', 'USDT', 100, 15_000_000n),
    v3('USDC', 'USDT', 500, 1_000_000n),
    v3('USDC', 'DAI', 100, 9_000_000n),
    v3('USDT', 'DAI', 100, 2_000_000n),
    v3('ACORN', wrapped, 3000, 300_000n),
    v3('ACORN', wrapped, 10_000, 150_000n),
    v3('BIRCH', 'USDC', 10_000, 160_000n),
    v3('CEDAR', 'USDC', 500, 90_000n),
    v3('DUNE', wrapped, 3000, 240_000n),
    v3('ELM', 'DUNE', 10_000, 80_000n),
    v3('GROVE', 'BIRCH', 10_000, 80_000n),
    v2(wrapped, 'USDC', 5_000_000n),
    v2(wrapped, 'USDT', 3_000_000n),
    v2(wrapped, 'DAI', 2_000_000n),
    v2('WBTC', wrapped, 2_000_000n),
    v2('USDC', 'USDT', 1_000_000n),
    v2('ACORN', wrapped, 120_000n),
    v2('DUNE', 'USDC', 70_000n),
    v2('FERN', wrapped, 90_000n),
    v2('CEDAR', 'DAI', 60_000n, 'drained'),
    ...(native === 'BNB'
      ? [
          v3('ETH', wrapped, 500, 9_000_000n),
          v3('ETH', 'USDC', 500, 7_000_000n),
          v3('ETH', 'USDT', 3000, 3_000_000n),
          v3('WBTC', 'ETH', 3000, 4_000_000n),
          v2('ETH', wrapped, 1_500_000n),
        ]
      : []),
  ]
}

/** The pools of bridged SOL, on chains that have it. */
export const bridgedSolPools = (native: 'ETH' | 'BNB'): readonly PlannedPool[] => [
  v3('SOL', `W${native}`, 3000, 9_000_000n),
  v3('SOL', 'USDC', 500, 7_000_000n),
  v2('SOL', 'USDT', 1_500_000n),
]

/** A planned pool's two currencies in the order of its contract, with the amounts of liquidity. */
export type PoolSides = Readonly<{
  currency0: DeployedCurrency
  currency1: DeployedCurrency
  amount0: Amount
  amount1: Amount
  /** Difference of the pool's initial price of currency0 from the planned price, in pips. */
  premium: bigint
}>

/** The fee of Uniswap v2, in pips. */
const v2Fee = 3000

/**
 * @param seed Moves the pool's price up or down by at most a third of its fee: prices differ between pools, as they
 * do on real chains, but not enough for arbitrage.
 */
export function sidesOf(
  pool: PlannedPool,
  currencies: readonly DeployedCurrency[],
  seed: number,
): PoolSides {
  const [currency0, currency1] = currencies
    .filter(({ symbol }) => pool.pair.includes(symbol))
    .sort((one, other) => (one.address < other.address ? -1 : 1))
  if (currency0 === undefined || currency1 === undefined)
    throw new Error(`No such pair: ${pool.pair.join(' and ')}`)
  const fee = pool.version === 2 ? v2Fee : pool.fee
  const premium = BigInt(Math.trunc((fee * (((seed * 7) % 5) - 2)) / 6))
  const half = pool.depthUsd / 2n
  return {
    currency0,
    currency1,
    amount0: worth(half, currency0),
    amount1: toAmount((worth(half, currency1) * (1_000_000n + premium)) / 1_000_000n),
    premium,
  }
}

/** @source v3-core TickMath: the tick range of every pool. */
const lastTick = 887_272

/** By fee in pips. @source v3-core UniswapV3Factory; the tier of 100 pips is enabled as on Ethereum. */
export const tickSpacings = { 100: 1, 500: 10, 3000: 60, 10000: 200 } as const

/** In pips. */
export type FeeTier = keyof typeof tickSpacings

type PlannedPosition = Readonly<{ tickLower: number; tickUpper: number; percent: bigint }>

/**
 * Overlapping ranges around the price, as tick offsets (a tick is about a basis point), each with its percentage of the
 * depth: wide ones, narrow ones, and ones on one side of the price.
 */
const ranges = [
  [-lastTick, lastTick, 6n],
  [-16_000, 12_000, 12n],
  [-6900, 6900, 20n],
  [-4100, -1000, 6n],
  [1300, 5200, 6n],
  [-2200, 2300, 18n],
  [-1000, 800, 10n],
  [-470, 610, 5n],
  [-250, 230, 3n],
  [-120, 130, 2n],
  [50, 420, 2n],
  [-390, -60, 2n],
  [-80, 60, 2n],
  [-40, 30, 1n],
  [-20, 90, 2n],
  [-100, 20, 1n],
  [10, 40, 1n],
  [-30, -10, 1n],
] as const

/** Divisor of the ranges of pools between currencies of equal price. */
const peggedDivisor = 60

/**
 * The positions of a pool at `tick`. `seed` shifts the ranges by a few tick spacings, so that they differ between
 * pools.
 */
export function planPositions(
  tick: number,
  tickSpacing: number,
  isPegged: boolean,
  seed: number,
): readonly PlannedPosition[] {
  const scale = isPegged ? peggedDivisor : 1
  const shift = ((seed * 37) % 5) - 2
  return ranges.map(([below, above, percent]) => {
    const lower = below === -lastTick ? below : tick + below / scale
    const upper = above === lastTick ? above : tick + above / scale
    const lowerIndex = Math.max(Math.floor(lower / tickSpacing) + shift, minIndex(tickSpacing))
    const upperIndex = Math.min(Math.ceil(upper / tickSpacing) + shift, -minIndex(tickSpacing))
    return { tickLower: lowerIndex * tickSpacing, tickUpper: upperIndex * tickSpacing, percent }
  })
}

/** The lowest tick that pools accept, divided by the tick spacing. */
const minIndex = (tickSpacing: number): number => Math.ceil(-lastTick / tickSpacing)

type PricedCurrency = Readonly<{ decimals: number; price: UsdPrice }>

/**
 * √(amount of currency1 per currency0) in the smallest units, times 2^96, rounded down. The price of currency0 is
 * `premiumPips` above its planned price.
 */
export function sqrtPriceX96Of(
  currency0: PricedCurrency,
  currency1: PricedCurrency,
  premiumPips: bigint,
): bigint {
  const numerator = currency0.price * (1_000_000n + premiumPips) * 10n ** BigInt(currency1.decimals)
  const denominator = currency1.price * 1_000_000n * 10n ** BigInt(currency0.decimals)
  return squareRoot((numerator << 192n) / denominator)
}

/** The tick at or next to a price: exact enough to place ranges around it. */
export const tickNear = (sqrtPriceX96: bigint): number =>
  Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001))

/** Rounded down, by Newton's method. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
