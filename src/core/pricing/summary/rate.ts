import type { Amount } from '#src/core/units/amount.ts'
import { powerOfTen } from '#src/core/units/powersOfTen.ts'

type RateAmount = Readonly<{ amount: Amount; decimals: number }>

const significantDigits = 18

/**
 * Whole units of output per whole unit of input, as decimal text of at most 18 significant digits, rounded down, without
 * trailing zeros. `input.amount` must be positive.
 */
export function rateOf(input: RateAmount, output: RateAmount): string {
  const dividend = output.amount * powerOfTen(input.decimals)
  const divisor = input.amount * powerOfTen(output.decimals)
  const magnitude = dividend.toString().length - divisor.toString().length
  const places = Math.max(0, significantDigits - magnitude)
  const digits = ((dividend * powerOfTen(places)) / divisor).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
