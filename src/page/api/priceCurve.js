/** @import { PriceInput } from '#src/page/api/answers.ts' */
import { curveDocument } from '#src/page/api/documents.js'
import { ask } from '#src/page/api/gatewayClient.js'

// Powers of two from an eighth to 32 times the amount.
const powers = [-3, -2, -1, 0, 1, 2, 3, 4, 5]

/**
 * A point of the curve: the impact in percent of the value of the input, negative for a loss.
 * @typedef {Readonly<{ amount: bigint, total: number, swap: number }>} CurvePoint
 */

/**
 * The price impact at sizes around the amount of `input`, all on the same blocks. Sizes without a price are omitted.
 * @param {PriceInput} input
 * @returns {Promise<readonly CurvePoint[]>}
 */
export async function askCurve(input) {
  const sizes = powers
    .map((power) => scale(BigInt(input.amount), power))
    .filter((amount) => amount > 0n)
  const inputs = sizes.map((amount) => ({ ...input, amount: `${amount}` }))
  const { prices } = await ask(curveDocument, { inputs })
  return sizes.flatMap((amount, at) => {
    const { totalImpact, swapImpact } = prices[at]?.details ?? {}
    if (!totalImpact || !swapImpact) return []
    return [{ amount, total: Number(totalImpact.percent), swap: Number(swapImpact.percent) }]
  })
}

/**
 * @param {bigint} amount
 * @param {number} power of two
 */
const scale = (amount, power) => (power < 0 ? amount >> BigInt(-power) : amount << BigInt(power))
