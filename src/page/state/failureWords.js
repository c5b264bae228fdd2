/** @import { Chain } from '#src/page/api/answers.ts' */
import { shortDecimal } from '#src/page/amounts/amounts.js'

const largestAmount =
  /largest amount that works is (?:about )?(\d+(?:\.\d+)?) ([^\s;]+?)(?=\.?(?:\s|;|$))/

/**
 * A message of the gateway for people: chains by their names, and amounts as everywhere on the page. `largest` is the
 * largest amount that works, if the message has one in the currency of `symbol`.
 * @param {string} message
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 * @param {string} symbol of the amount that the user typed.
 * @returns {Readonly<{ words: string, largest?: string }>}
 */
export function failureWords(message, chains, symbol) {
  const words = message
    .replaceAll(/\bchain (\d+)\b/g, (text, id) => nameOf(chains, Number(id)) ?? text)
    .replaceAll(/(?<![\w.])\d+\.\d+(?![\w.]*\w)/g, (amount) => shortDecimal(amount))
  const [, amount, currency] = largestAmount.exec(message) ?? []
  return { words, ...(amount !== undefined && currency === symbol && { largest: amount }) }
}

/**
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 * @param {number} id
 */
const nameOf = (chains, id) => chains.find(({ chainId }) => chainId === id)?.displayName
