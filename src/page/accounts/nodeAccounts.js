/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Account, Provider } from '#src/page/accounts/provider.js' */
import { sendTransaction } from '#src/page/accounts/provider.js'
import { signTypedData } from '#src/page/accounts/typedData.js'

// A development node, such as anvil, signs for ten accounts. The devnet gives the first five to people: the solver,
// the traders and the deployers use the others.
const maxAccounts = 5

const loopback = /^http:\/\/(localhost|\[::1\]|127(\.\d+){3})(:\d+)?(\/|$)/

/**
 * The accounts of the devnet, for which a node on this machine signs. Real chains have none, because only nodes on the
 * loopback interface are asked.
 * @param {readonly Chain[]} chains
 * @returns {Promise<readonly Account[]>}
 */
export async function nodeAccounts(chains) {
  const local = chains.filter(({ rpcUrl }) => rpcUrl !== null && loopback.test(rpcUrl))
  const [first] = local
  if (first === undefined) return []
  /** @type {readonly string[]} */
  const addresses = await providerOf(first)
    .request({ method: 'eth_accounts' })
    .catch(() => [])
  const nodeOf = (/** @type {Chain} */ chain) => {
    if (!local.some(({ chainId }) => chainId === chain.chainId))
      throw new Error(`${chain.displayName} has no node on this machine: use a wallet`)
    return providerOf(chain)
  }
  return addresses.slice(0, maxAccounts).map((address, at) => ({
    key: `node:${address}`,
    address: address.toLowerCase(),
    label: `Devnet account ${at + 1}`,
    send: async (transaction, chain) => sendTransaction(nodeOf(chain), transaction),
    sign: async (typedData, chain) => signTypedData(nodeOf(chain), address, typedData),
  }))
}

/**
 * @param {Pick<Chain, 'rpcUrl'>} chain
 * @returns {Provider}
 */
const providerOf = ({ rpcUrl }) => ({
  request: async ({ method, params = [] }) => {
    const response = await fetch(rpcUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await response.json()
    if (error !== undefined) throw new Error(`The node refused: ${error.message}`)
    return result
  },
})
