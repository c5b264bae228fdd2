/** @import { CurrencyAmount, Price } from '#src/page/api/answers.ts' */
import { formatMicros, shortDecimal, toMicros } from '#src/page/amounts/amounts.js'

/**
 * A part of the costs, in millionths of a dollar. `share` is its share of the costs including slippage, 0 to 1.
 * @typedef {Readonly<{ key: string, label: string, micros: bigint, share: number }>} Cost
 */

/**
 * The costs of a price by part, in the sequence of the bar. `parts` has only costs above zero, and `gains` the gain of
 * a swap that pays more than the prices of its currencies.
 * @param {Price} price
 */
export function costsOf({ details, fees }) {
  const { currencyOut, totalImpact, swapImpact } = details
  const swap = swapImpact === null ? 0n : -toMicros(swapImpact.usd)
  const all = [
    { key: 'slippage', label: 'Slippage allowed', micros: slippageOf(currencyOut) },
    { key: 'impact', label: 'Pool fees and price impact', micros: swap },
    { key: 'fill', label: gasLabel(fees), micros: microsOf(fees.relayerGas) },
    { key: 'service', label: 'Fee of the solver', micros: microsOf(fees.relayerService) },
    { key: 'app', label: 'Fee of the app', micros: microsOf(fees.app) },
  ]
  const paid = all.filter(({ micros }) => micros > 0n)
  const sum = paid.reduce((total, { micros }) => total + micros, 0n)
  return {
    /** The expected costs, without slippage. */
    total: totalImpact === null ? 0n : toMicros(totalImpact.usd),
    parts: paid.map((each) => ({ ...each, share: Number((each.micros * 10_000n) / sum) / 10_000 })),
    gains: all
      .filter(({ micros }) => micros < 0n)
      .map((each) => ({ ...each, label: 'Gain of the swap', micros: -each.micros })),
    gas: textOf(fees.gas),
  }
}

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
 * Value of the expected amount minus the guaranteed minimum, in millionths of a dollar, rounded down.
 * @param {CurrencyAmount} out
 */
function slippageOf({ amount, minimumAmount, amountUsd }) {
  if (amountUsd === null || amount === '0') return 0n
  return (toMicros(amountUsd) * (BigInt(amount) - BigInt(minimumAmount))) / BigInt(amount)
}

/** @param {CurrencyAmount} amount */
const textOf = ({ amountFormatted, amountUsd, currency }) =>
  amountUsd === null
    ? `${shortDecimal(amountFormatted, 3)} ${currency.symbol}`
    : formatMicros(toMicros(amountUsd))
