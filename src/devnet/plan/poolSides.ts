import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { DeployedCurrency } from '#src/devnet/deployment/deployCurrencies.ts'
import { worth } from './currencyPlan.ts'
import type { PlannedPool } from './poolPlan.ts'

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
