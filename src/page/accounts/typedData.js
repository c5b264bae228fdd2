/** @import { SignatureRequest } from '#src/page/api/answers.ts' */

/** The fields that a domain may have, in the order of their type. @source EIP-712 */
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * The typed data of a signature in the format of `eth_signTypedData_v4`. Wallets require the type of the domain too.
 * @param {SignatureRequest} request
 */
const typedDataOf = ({ domain, types, primaryType, message }) => ({
  domain,
  types: { EIP712Domain: domainFields.filter(({ name }) => name in domain), ...types },
  primaryType,
  message,
})

/** The wallet does not know the method. @source EIP-1193, JSON-RPC 2.0 */
const unsupported = [4200, -32_601]

/**
 * Signs typed data with a provider. The wallet must be on the chain of the domain.
 * @param {import('#src/page/accounts/provider.js').Provider} provider
 * @param {string} address
 * @param {SignatureRequest} request
 * @returns {Promise<string>} the signature.
 */
export async function signTypedData(provider, address, request) {
  const params = [address, JSON.stringify(typedDataOf(request))]
  try {
    return await provider.request({ method: 'eth_signTypedData_v4', params })
  } catch (error) {
    if (!unsupported.includes(/** @type {any} */ (error)?.code)) throw error
    throw new Error('This account cannot sign a payment. Pay the network fee from it instead.')
  }
}
