/** @import { Chain, Currency, ErrorData, Warning } from '#src/page/api/answers.ts' */
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

/** Warnings that the page words itself, by the loss of the price. */
const worded = ['QUOTE_REFUSED', 'SWAP_IMPACT', 'HIGH_FEES', 'THIN_LIQUIDITY']

/**
 * Why a quote would be refused, and what else the user should know, in words.
 * @param {readonly Warning[]} warnings
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 */
export function warningWords(warnings, chains) {
  const refused = warnings.find(({ code }) => code === 'QUOTE_REFUSED')
  const others = warnings.filter(({ code }) => !worded.includes(code))
  return {
    refusal:
      refused &&
      failureWords(wordsOf({ code: refused.data.errorCode, message: refused.message }), chains),
    notes: others.map(({ message }) => failureWords(message, chains)),
  }
}

/**
 * The largest or smallest amount that works, exact. Undefined if it is unknown, or in another currency than the user
 * typed.
 * @param {ErrorData | undefined} data
 * @param {Pick<Currency, 'chainId' | 'address' | 'decimals'>} typed
 */
export function workingAmountIn(data, { chainId, address, decimals }) {
  const { maxAmount, maxAmountCurrency, minAmount, minAmountCurrency } = data ?? {}
  const amount = maxAmount ?? minAmount
  const of = maxAmountCurrency ?? minAmountCurrency
  if (amount === undefined || of?.chainId !== chainId || of.address !== address) return undefined
  return formatAmount(BigInt(amount), decimals)
}

/**
 * @param {readonly Pick<Chain, 'chainId' | 'displayName'>[]} chains
 * @param {number} id
 */
const nameOf = (chains, id) => chains.find(({ chainId }) => chainId === id)?.displayName

const tooMuchLoss = 'The gateway refuses a swap that loses so much. Swap a smaller amount.'

/**
 * The message for the user about an error of the gateway, a wallet or a node.
 * @param {unknown} error
 */
export function wordsOf(error) {
  const { code, message } = /** @type {any} */ (error) ?? {}
  // EIP-1193: the user declined in the wallet.
  if (code === 4001) return 'You declined in the wallet. Nothing was sent.'
  // Its message names an option that the page does not have.
  if (code === 'SWAP_IMPACT_TOO_HIGH') return tooMuchLoss
  if (message === 'Failed to fetch') return 'The server does not answer. Is it still running?'
  return message || 'Something went wrong'
}
