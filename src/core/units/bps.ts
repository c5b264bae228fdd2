import { type Amount, toAmount } from './amount.ts'
import { mulDivDown } from './arithmetic.ts'
import type { Branded } from './brand.ts'

/** Basis points: 1/100 of a percent, 0 to 10,000. */
export type Bps = Branded<bigint, 'Bps'>

/** 100% in basis points. */
export const wholeBps = 10_000n

/** @throws RangeError outside 0 to 10,000. */
export function toBps(value: bigint): Bps {
  if (value < 0n || value > wholeBps)
    throw new RangeError(`Basis points must be 0 to 10000: ${value}`)
  return value as Bps
}

/** `share` of `amount`, rounded down. */
export const shareDown = (amount: Amount, share: Bps): Amount =>
  toAmount(mulDivDown(amount, share, wholeBps))
