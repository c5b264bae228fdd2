import type { ChainMarket, ChainPrices } from '#src/core/pricing/market.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import { depositDepth } from './depositDepth.ts'

/** The value of an amount at the chain's prices, rounded down; undefined without a price. */
export function depositUsd(
  { usdPrices }: ChainPrices,
  { address, decimals }: Pick<Currency, 'address' | 'decimals'>,
  amount: Amount,
): Usd | undefined {
  const price = usdPrices.get(address)
  return price === undefined ? undefined : usdValueDown(amount, decimals, price)
}

/**
 * Seconds from the broadcast of deposits worth `usd` together to the payment. The deposits are mined and reach the
 * depth that their value needs; then the fill is mined in the next block. Deposits without a record must be final.
 */
export function secondsAcross(
  { origin, destination }: Readonly<{ origin: ChainMarket; destination: ChainMarket }>,
  usd: Usd | undefined,
  { isUnrecorded = false }: Readonly<{ isUnrecorded?: boolean }> = {},
): number {
  const depth = isUnrecorded
    ? 'final'
    : // The payer is unknown before the deposit: it may be another account than the user.
      depositDepth(origin.chain.depositPolicy, usd, { usd: origin.exposedUsd, ofPayerUsd: 0n })
  const blocks = 1 + (depth === 'final' ? origin.finality.blocks : depth)
  return Math.ceil(blocks * origin.chain.blockSeconds + destination.chain.blockSeconds)
}
