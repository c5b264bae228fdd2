/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Account, Provider } from '#src/page/accounts/provider.js' */
import { callNode, hasLocalNode } from '#src/page/accounts/node.js'
import { sendTransaction } from '#src/page/accounts/provider.js'
import { nodeSigners } from '#src/page/accounts/svm/nodeSigners.js'
import { signTypedData } from '#src/page/accounts/typedData.js'

// A development node, such as anvil, signs for ten accounts. The devnet gives the first five to people: the solver,
// the traders and the deployers use the others.
const maxAccounts = 5

/**
 * The accounts of the devnet, for which a node on this machine signs. Real chains have none, because only nodes on the
 * loopback interface are asked.
 * @param {readonly Chain[]} chains
 * @returns {Promise<readonly Account[]>}
 */
export async function nodeAccounts(chains) {
  const local = chains.filter(hasLocalNode)
  const [evm, svm] = await Promise.all([
    evmAccounts(local.filter(({ vmType }) => vmType === 'evm')),
    nodeSigners(local.filter(({ vmType }) => vmType === 'svm')),
  ])
  return [...evm, ...svm]
}

/**
 * @param {readonly Chain[]} local
 * @returns {Promise<readonly Account[]>}
 */
async function evmAccounts(local) {
  const [first] = local
  if (first === undefined) return []
  /** @type {readonly string[]} */
  const addresses = await callNode(first, 'eth_accounts').catch(() => [])
  const nodeOf = (/** @type {Chain} */ chain) => {
    if (!local.some(({ chainId }) => chainId === chain.chainId))
      throw new Error(`${chain.displayName} has no node on this machine: use a wallet`)
    return providerOf(chain)
  }
  return addresses.slice(0, maxAccounts).map((address, at) => ({
    vmType: 'evm',
    key: `node:${address}`,
    address: address.toLowerCase(),
    label: `Devnet account ${at + 1}`,
    send: async (transaction, chain) => sendTransaction(nodeOf(chain), transaction),
    sign: async (typedData, chain) => signTypedData(nodeOf(chain), address, typedData),
  }))
}

/**
 * @param {Chain} chain
 * @returns {Provider}
 */
const providerOf = (chain) => ({
  request: ({ method, params }) => callNode(chain, method, params),
})
