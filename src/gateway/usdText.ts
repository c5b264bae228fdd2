import type { CurrencyAmount } from '#src/pricing/price.ts'
import { formatUsd, type Usd } from '#src/units/usd.ts'

/** What an amount is worth, as every face tells it: nothing is worth "0", whatever has no price. */
export const worthOf = ({
  amount,
  usd,
}: Pick<CurrencyAmount, 'amount' | 'usd'>): Usd | '0' | undefined => (amount === 0n ? '0' : usd)

export const usdText = (value: Usd | '0'): string => (value === '0' ? value : formatUsd(value))
