/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { callNode } from '#src/page/accounts/node.js'
import { prepareTransaction, sendSigned, toBase64 } from '#src/page/accounts/svm/sending.js'

/**
 * The accounts that the devnet's node signs for. Other nodes have none.
 * @param {readonly Chain[]} local chains whose node is on this machine.
 * @returns {Promise<readonly Account[]>}
 */
export async function nodeSigners([first]) {
  if (first === undefined) return []
  /** @type {readonly string[]} */
  const addresses = await callNode(first, 'devnet_accounts').catch(() => [])
  return addresses.map((address, at) => ({
    vmType: 'svm',
    key: `node:${address}`,
    address,
    label: `Devnet account ${at + 1}`,
    send: async (transaction, chain) => {
      if (chain.chainId !== first.chainId)
        throw new Error(`The devnet does not sign for ${chain.displayName}: use a wallet`)
      const unsigned = await prepareTransaction(transaction)
      const signed = await callNode(chain, 'devnet_signTransaction', [toBase64(unsigned)])
      return sendSigned(chain, signed)
    },
  }))
}
