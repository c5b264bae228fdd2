// Amounts are bigint in the smallest unit and never pass through a floating-point number.

// "1,5" is refused: many countries write one and a half this way. Read as 15, it would pay ten times as much.
const decimalText = /^(\d*|[1-9]\d{0,2}(?:[,_\s]\d{3})+)(?:\.(\d*))?$/

/**
 * The amount of a decimal text such as "0.5" or "1,234.5". Undefined for any other text, and for more than `decimals`
 * decimals.
 * @param {string} text
 * @param {number} decimals
 * @returns {bigint | undefined}
 */
export function parseAmount(text, decimals) {
  const match = decimalText.exec(text.trim())
  if (match === null) return undefined
  const [, grouped = '', fraction = ''] = match
  const whole = grouped.replaceAll(/\D/g, '')
  if (whole + fraction === '' || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * The exact decimal text of an amount, without trailing zeros.
 * @param {bigint} amount
 * @param {number} decimals
 */
export function formatAmount(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/**
 * A decimal text for people: thousands grouped, rounded toward zero to about `digits` significant digits. Six are the
 * rule for all amounts and rates; the exact amount is in the title of the element.
 * @param {string} text
 */
export function shortDecimal(text, digits = 6) {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const places = whole === '0' ? zeros + digits : Math.max(0, digits - whole.length)
  const cut = fraction.slice(0, places).replace(/0+$/, '')
  return `${sign}${grouped(whole)}${cut === '' ? '' : `.${cut}`}`
}

/** @param {string} whole */
const grouped = (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')

const microsPerDollar = 1_000_000n

/**
 * Millionths of a dollar of a text such as "-0.027900", rounded toward zero.
 * @param {string} usd
 */
export function toMicros(usd) {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?/.exec(usd) ?? []
  const micros = BigInt(whole) * microsPerDollar + BigInt(fraction.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}

/**
 * Dollars for people, such as "$2,997.71", rounded toward zero. Amounts below a cent have four decimals.
 * @param {bigint} micros
 */
export function formatMicros(micros) {
  const absolute = micros < 0n ? -micros : micros
  const sign = micros < 0n ? '−' : ''
  if (absolute === 0n) return '$0'
  if (absolute < 100n) return `${sign}<$0.0001`
  const fraction = (absolute % microsPerDollar).toString().padStart(6, '0')
  const cut = absolute < 10_000n ? fraction.slice(0, 4) : fraction.slice(0, 2)
  return `${sign}$${grouped((absolute / microsPerDollar).toString())}.${cut}`
}

const scales = /** @type {const} */ ([
  [1_000_000_000_000n, 'T'],
  [1_000_000_000n, 'B'],
  [1_000_000n, 'M'],
  [1_000n, 'k'],
])

/**
 * An amount with about three digits, such as "4.21M", rounded toward zero.
 * @param {bigint} amount
 * @param {number} decimals
 */
export function compactAmount(amount, decimals) {
  const unit = 10n ** BigInt(decimals)
  const found = scales.find(([scale]) => amount >= scale * unit)
  if (found === undefined) return shortDecimal(formatAmount(amount, decimals), 3)
  const [scale, suffix] = found
  const hundredths = (amount * 100n) / (scale * unit)
  return `${shortDecimal(formatAmount(hundredths, 2), 3)}${suffix}`
}

/** @param {string} hash */
export const shortHash = (hash) => `${hash.slice(0, 6)}…${hash.slice(-4)}`
