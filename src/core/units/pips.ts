import type { Branded } from './brand.ts'

/** Hundredths of a basis point, the unit of pool fees: 0 to 999,999. */
export type Pips = Branded<number, 'Pips'>

/** @throws RangeError outside 0 to 999,999. */
export function toPips(value: number): Pips {
  if (!Number.isInteger(value) || value < 0 || value >= 1_000_000)
    throw new RangeError(`A pool fee must be 0 to 999999 pips: ${value}`)
  return value as Pips
}
