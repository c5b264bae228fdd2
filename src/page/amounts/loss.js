/** @import { Price } from '#src/page/api/answers.ts' */
import { formatMicros, toMicros } from '#src/page/amounts/amounts.js'

/** Losses that the page warns of, and those that the user must accept, in percent of what the user pays. */
const warnedFrom = 3
const acceptedFrom = 5

/**
 * A loss that the user should know of. `percent` of the input's value, above zero.
 * @typedef {Readonly<{ level: 'high' | 'severe', percent: number, words: string }>} Loss
 */

/**
 * What a swap loses if that is much. Undefined below 3%, and if a currency has no dollar price.
 * @param {Price} price
 * @returns {Loss | undefined}
 */
export function lossOf({ details: { totalImpact, swapImpact } }) {
  if (totalImpact === null) return undefined
  const percent = -Number(totalImpact.percent)
  if (percent < warnedFrom) return undefined
  const level = percent < acceptedFrom ? 'high' : 'severe'
  const lost = formatMicros(-toMicros(totalImpact.usd))
  const isPools = swapImpact !== null && -Number(swapImpact.percent) * 2 > percent
  const reason = isPools
    ? 'the pools are shallow for this amount'
    : 'the fees are high for this amount'
  return {
    level,
    percent,
    words: `You get ${lost} less than you pay, ${percent.toFixed(1)}%: ${reason}.`,
  }
}

/**
 * Whether a loss that the user has accepted covers this one. A block may add up to half a percent.
 * @param {Loss} loss
 * @param {number} accepted in percent
 */
export const isCovered = ({ level, percent }, accepted) =>
  level === 'high' || percent <= accepted + 0.5
