import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type DeployedCurrency, worth } from './currencyPlan.ts'
import type { FeeTier } from './positions.ts'

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
