/** @import { Price } from '#src/page/api/answers.ts' */
import { formatMicros, toMicros } from '#src/page/amounts/amounts.js'

/** Losses that the page warns of, and those to the pools that the user must accept, in percent of what the user pays. */
const warnedFrom = 3
const acceptedFrom = 5

/**
 * A loss that the user should know of. `percent` is all of it, in percent of the input's value. A severe one must be
 * accepted.
 * @typedef {Readonly<{ level: 'high' | 'severe', percent: number, title: string, words: string }>} Loss
 */

/**
 * What a swap loses to shallow pools or to fees, if that is much. Undefined below 3%, and if a currency has no dollar
 * price.
 * @param {Price} price
 * @returns {Loss | undefined}
 */
export function lossOf({ details: { totalImpact, swapImpact } }) {
  if (totalImpact === null) return undefined
  const percent = -Number(totalImpact.percent)
  const toPools = swapImpact === null ? 0 : -Number(swapImpact.percent)
  if (Math.max(percent, toPools) < warnedFrom) return undefined
  const lost = formatMicros(-toMicros(totalImpact.usd))
  const words = `You get ${lost} less than you pay, ${percent.toFixed(1)}%`
  if (toPools < warnedFrom)
    return { level: 'high', percent, title: 'High fees', words: `${words}: the amount is small.` }
  const level = toPools < acceptedFrom ? 'high' : 'severe'
  const title = level === 'high' ? 'Price impact' : 'High price impact'
  return { level, percent, title, words: `${words}: the pools are shallow for this amount.` }
}

/**
 * Whether a loss that the user has accepted covers this one. A block may add up to half a percent.
 * @param {Loss} loss
 * @param {number} accepted in percent
 */
export const isCovered = ({ level, percent }, accepted) =>
  level === 'high' || percent <= accepted + 0.5
