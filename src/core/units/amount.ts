import type { Branded } from './brand.ts'

/** A currency amount in its smallest unit: 0 to 2^256 − 1. */
export type Amount = Branded<bigint, 'Amount'>

const largest = 2n ** 256n - 1n

/** @throws RangeError below 0 or above 2^256 − 1. */
export function toAmount(value: bigint): Amount {
  if (value < 0n || value > largest)
    throw new RangeError(`An amount must be 0 to 2^256 − 1: ${value}`)
  return value as Amount
}

/** 2^256 − 1 has 78 digits. Longer text is rejected before it becomes a bigint. */
const maxDigits = 78

/** @throws RangeError unless `text` is a decimal integer of at most 2^256 − 1. */
export function parseAmount(text: string): Amount {
  if (text.length > maxDigits || !/^[0-9]+$/.test(text))
    throw new RangeError('An amount is an integer in the smallest unit, 0 to 2^256 − 1')
  return toAmount(BigInt(text))
}

/**
 * Exact decimal text in whole units: `1500000` with 6 decimals is `"1.5"`, 0 is `"0.0"`, a whole number ends with `.0`.
 */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  let end = digits.length
  while (end > point && digits.endsWith('0', end)) end -= 1
  return `${digits.slice(0, point)}.${end === point ? '0' : digits.slice(point, end)}`
}

/**
 * Whether a text is a decimal amount that `parseDecimalAmount` takes: at most 30 digits before the point, 77 behind it.
 */
export const isDecimalAmount = (text: string): boolean => /^[0-9]{1,30}(\.[0-9]{1,77})?$/.test(text)

/**
 * The amount in the smallest unit of decimal text in whole units, such as `"0.5"`. Digits beyond `decimals` are
 * dropped.
 * @throws RangeError unless the text is a decimal amount
 */
export function parseDecimalAmount(text: string, decimals: number): bigint {
  if (!isDecimalAmount(text)) throw new RangeError('An amount is a decimal number, such as 0.5')
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
