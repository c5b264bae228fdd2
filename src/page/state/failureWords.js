/** @import { Chain, Currency, ErrorData } from '#src/page/api/answers.ts' */
import { formatAmount, shortDecimal } from '#src/page/amounts/amounts.js'

/**
 * A message of the gateway for people: chains by their names, and amounts as everywhere on the page.
 * @param {string} message
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 */
export const failureWords = (message, chains) =>
  message
    .replaceAll(/\bchain (\d+)\b/g, (text, id) => nameOf(chains, Number(id)) ?? text)
    .replaceAll(/(?<![\w.])\d+\.\d+(?![\w.]*\w)/g, (amount) => shortDecimal(amount))

/**
 * The largest amount that works, exact. Undefined if it is unknown, or in another currency than the user typed.
 * @param {ErrorData | undefined} data
 * @param {Pick<Currency, 'chainId' | 'address' | 'decimals'>} typed
 */
export function largestIn(data, { chainId, address, decimals }) {
  const { maxAmount, maxAmountCurrency: of } = data ?? {}
  if (maxAmount === undefined || of?.chainId !== chainId || of.address !== address) return undefined
  return formatAmount(BigInt(maxAmount), decimals)
}

/**
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 * @param {number} id
 */
const nameOf = (chains, id) => chains.find(({ chainId }) => chainId === id)?.displayName
