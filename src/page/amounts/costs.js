/** @import { CurrencyAmount, Price } from '#src/page/api/answers.ts' */
import { formatMicros, shortDecimal, toMicros } from '#src/page/amounts/amounts.js'

/**
 * A part of the costs, in millionths of a dollar. `share` is its share of all parts above zero, 0 to 1.
 * @typedef {Readonly<{ key: string, label: string, micros: bigint, share: number }>} Cost
 */

/**
 * The costs of a price by part, in the sequence of the bar. As they are shown, `parts` less `gains` are exactly the
 * total: the impact is what the fees leave. `parts` has only costs above zero, and `gains` the gain of a swap that pays
 * more than the prices of its currencies.
 * @param {Price} price
 */
export function costsOf({ details, fees }) {
  const { currencyOut, totalImpact } = details
  const lost = totalImpact === null ? 0n : -toMicros(totalImpact.usd)
  const exact = [
    { key: 'fill', label: gasLabel(fees), micros: microsOf(fees.relayerGas) },
    { key: 'service', label: 'Fee of the solver', micros: microsOf(fees.relayerService) },
    { key: 'app', label: 'Fee of the app', micros: microsOf(fees.app) },
  ]
  const unit = unitOf(exact.reduce((all, { micros }) => all + micros, lost < 0n ? -lost : lost))
  const total = cutTo(unit, lost)
  const paid = exact.map((each) => ({ ...each, micros: cutTo(unit, each.micros) }))
  const impact = totalImpact === null ? 0n : paid.reduce((rest, { micros }) => rest - micros, total)
  const all = [{ key: 'impact', label: 'Pool fees and price impact', micros: impact }, ...paid]
  const parts = all.filter(({ micros }) => micros > 0n)
  const sum = parts.reduce((whole, { micros }) => whole + micros, 0n)
  return {
    /** What the output is worth less than the input. Negative if it is worth more. */
    total,
    parts: parts.map((each) => ({
      ...each,
      share: Number((each.micros * 10_000n) / sum) / 10_000,
    })),
    gains: all
      .filter(({ micros }) => micros < 0n)
      .map((each) => ({ ...each, label: 'Gain of the swap', micros: -each.micros })),
    gas: textOf(fees.gas),
    /** What the recipient may get less than expected if the price moves. It is no cost unless it does. */
    tolerance: toleranceOf(currencyOut),
  }
}

/**
 * The smallest difference that the costs show: a cent, or less if all of them together are below a cent.
 * @param {bigint} micros
 */
const unitOf = (micros) => (micros < 10_000n ? 100n : 10_000n)

/**
 * @param {bigint} unit
 * @param {bigint} micros
 */
const cutTo = (unit, micros) => micros - (micros % unit)

/**
 * The solver also pays the gas of a deposit that the user only signs.
 * @param {Price['fees']} fees
 */
const gasLabel = ({ gas, relayerGas }) =>
  gas.amount === '0' && relayerGas.amount !== '0'
    ? 'Gas of deposit and payment'
    : 'Gas of the payment'

/** @param {CurrencyAmount} amount */
const microsOf = ({ amountUsd }) => (amountUsd === null ? 0n : toMicros(amountUsd))

/**
 * Expected amount minus the promised minimum: its value in millionths of a dollar, rounded down, and its percentage with
 * two decimals.
 * @param {CurrencyAmount} out
 */
function toleranceOf({ amount, minimumAmount, amountUsd }) {
  if (amount === '0') return { micros: 0n, percent: '0' }
  const less = BigInt(amount) - BigInt(minimumAmount)
  return {
    micros: amountUsd === null ? undefined : (toMicros(amountUsd) * less) / BigInt(amount),
    percent: String(Number((less * 10_000n) / BigInt(amount)) / 100),
  }
}

/** @param {CurrencyAmount} amount */
const textOf = ({ amountFormatted, amountUsd, currency }) =>
  amountUsd === null
    ? `${shortDecimal(amountFormatted)} ${currency.symbol}`
    : formatMicros(toMicros(amountUsd))
