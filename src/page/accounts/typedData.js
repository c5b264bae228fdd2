/** @import { SignatureRequest } from '#src/page/api/answers.ts' */

/** The wallet does not know the method. @source EIP-1193, JSON-RPC 2.0 */
const unsupported = [4200, -32_601]

/**
 * Signs typed data with a provider. The wallet must be on the chain of the domain.
 * @param {import('#src/page/accounts/provider.js').Provider} provider
 * @param {string} address
 * @param {SignatureRequest['typedData']} typedData
 * @returns {Promise<string>} the signature.
 */
export async function signTypedData(provider, address, typedData) {
  const params = [address, JSON.stringify(typedData)]
  try {
    return await provider.request({ method: 'eth_signTypedData_v4', params })
  } catch (error) {
    if (!unsupported.includes(/** @type {any} */ (error)?.code)) throw error
    throw new Error('This account cannot sign a payment. Pay the network fee from it instead.')
  }
}
