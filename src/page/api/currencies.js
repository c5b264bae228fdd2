/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
import {
  balanceDocument,
  currenciesDocument,
  supportsPermitDocument,
} from '#src/page/api/documents.js'
import { ask } from '#src/page/api/gatewayClient.js'
import { inOrderOfUse } from '#src/page/api/inOrderOfUse.js'

/**
 * A currency with the user's balance in the smallest unit. The balance is undefined without a user, and if no node
 * reports it.
 * @typedef {Readonly<{ currency: Currency, balance: bigint | undefined }>} CurrencyBalance
 */

// Used without a user: the document requires an address, and then does not ask for its balance.
const nobody = '0x0000000000000000000000000000000000000000'

/**
 * The currencies of a chain that match `term`: those that the user holds, then those of the solver, then the
 * others, most bought first.
 * @param {{ chain: Chain, term: string, user: string | undefined }} search
 * @param {AbortSignal} signal
 * @returns {Promise<readonly CurrencyBalance[]>}
 */
export async function findCurrencies({ chain, term, user = nobody }, signal) {
  const variables = {
    chainIds: [chain.chainId],
    ...(term !== '' && { term }),
    user,
    hasUser: user !== nobody,
  }
  const { currencies } = await ask(currenciesDocument, variables, signal)
  return inOrderOfUse(
    currencies.edges.map(
      (/** @type {{ node: Currency & { balance?: string | null } }} */ { node }) => ({
        currency: node,
        balance: toBalance(node.balance),
      }),
    ),
  )
}

/**
 * The balance of a currency, in the smallest unit. Undefined if it cannot be read.
 * @param {Currency} currency
 * @param {string} user
 * @returns {Promise<bigint | undefined>}
 */
export async function readBalance({ chainId, address }, user) {
  const answer = await ask(balanceDocument, { chainId, address, user }).catch(() => undefined)
  return toBalance(answer?.currency?.balance)
}

/**
 * Whether signatures alone can pay with a currency. Undefined while the gateway does not know.
 * @param {Currency} currency
 * @returns {Promise<boolean | undefined>}
 */
export async function readSupportsPermit({ chainId, address }) {
  const answer = await ask(supportsPermitDocument, { chainId, address }).catch(() => undefined)
  return answer?.currency?.supportsPermit ?? undefined
}

/** @param {string | null | undefined} balance */
const toBalance = (balance) =>
  balance === null || balance === undefined ? undefined : BigInt(balance)
