/** @import { Currency, PriceInput } from '#src/page/api/answers.ts' */
import { balanceDocument, currenciesDocument } from '#src/page/api/documents.js'
import { ask } from '#src/page/api/gatewayClient.js'

/**
 * The currencies of a chain that match `term`, verified ones first. `balance` is in whole units.
 * @param {{ chainId: number, term: string, user: string | undefined }} search
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Readonly<{ currency: Currency, balance?: string }>[]>}
 */
export async function findCurrencies({ chainId, term }, signal) {
  const variables = { chainIds: [chainId], ...(term !== '' && { term }) }
  const { currencies } = await ask(currenciesDocument, variables, signal)
  return currencies.edges.map((/** @type {{ node: Currency }} */ { node }) => ({ currency: node }))
}

/**
 * The user's balance of the origin currency, in the smallest unit; undefined where it cannot be read.
 * @param {PriceInput} input
 * @returns {Promise<bigint | undefined>}
 */
export async function readBalance(input) {
  const answer = await ask(balanceDocument, { input }).catch(() => undefined)
  const balance = answer?.price?.details.userBalance
  return balance === undefined || balance === null ? undefined : BigInt(balance)
}
