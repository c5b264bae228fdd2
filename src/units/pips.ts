import type { Branded } from './brand.ts'

/** Hundredths of a basis point, the unit of pool fees: 0 up to, but not, 1,000,000. */
export type Pips = Branded<number, 'Pips'>

/** @throws RangeError outside 0 to 999,999. */
export function toPips(value: number): Pips {
  if (!Number.isInteger(value) || value < 0 || value >= 1_000_000)
    throw new RangeError(`No pool fee in pips: ${value}`)
  return value as Pips
}
