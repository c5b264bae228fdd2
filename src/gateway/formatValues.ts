import { formatUsd, type Usd } from '#src/core/units/usd.ts'
import type { ShownPrice } from '#src/service/answers.ts'

/** Hundredths of a percent as a decimal string with two decimals: `-150n` becomes `"-1.50"`. Exact. */
export function formatPercent(hundredths: bigint): string {
  const magnitude = hundredths < 0n ? -hundredths : hundredths
  const digits = magnitude.toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * The value of an amount in US dollars, as GraphQL and REST report it. A zero amount is worth "0" even if its
 * currency has no price; `undefined` for any other amount without a price. Pricing has rounded `usd` down.
 */
export const amountUsdOf = ({
  amount,
  usd,
}: Readonly<{ amount: bigint; usd?: Usd | undefined }>): Usd | '0' | undefined =>
  amount === 0n ? '0' : usd

/** US dollars with six decimals, or "0" for a zero amount. */
export const formatAmountUsd = (value: Usd | '0'): string =>
  value === '0' ? value : formatUsd(value)

/** How a quote exceeds this gateway's routes or its solver's inventory; `undefined` if it does not. */
export const fallbackTypeOf = ({ fallbackType, awaitsLiquidity }: ShownPrice) =>
  fallbackType ?? (awaitsLiquidity ? 'external-liquidity' : undefined)
