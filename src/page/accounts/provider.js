/** @import { Chain, SignatureRequest, SvmTransaction, Transaction } from '#src/page/api/answers.ts' */

/**
 * Signs and sends transactions: an EIP-1193 provider or a development node.
 * @typedef {Readonly<{ request: (call: { method: string, params?: readonly unknown[] }) => Promise<any> }>} Provider
 */

/**
 * An account that the page can send from, on chains of one virtual machine. `send` resolves to the hash of the
 * transaction, `sign` to the signature.
 * @typedef {Readonly<{ key: string, address: string, label: string, icon?: string }>} Named
 * @typedef {Named & Readonly<{
 *   vmType: 'evm',
 *   send: (transaction: Transaction, chain: Chain) => Promise<string>,
 *   sign: (typedData: SignatureRequest['typedData'], chain: Chain) => Promise<string>
 * }>} EvmAccount
 * @typedef {Named & Readonly<{
 *   vmType: 'svm',
 *   send: (transaction: SvmTransaction, chain: Chain) => Promise<string>
 * }>} SvmAccount
 * @typedef {EvmAccount | SvmAccount} Account
 */

/**
 * Margin of the gas limit above the estimate: a trade in between, or the next second, can increase the gas of a swap.
 */
const gasMarginPercent = 20n

/** Nodes refuse a higher limit (EIP-7825). */
const maxGas = 2n ** 24n

/**
 * Sends a transaction of a quote unchanged, with a gas limit. Returns its hash.
 * @param {Provider} provider
 * @param {Transaction} transaction
 * @returns {Promise<string>}
 */
export async function sendTransaction(provider, transaction) {
  const { from, to, data, value, chainId, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const unlimited = {
    from,
    to,
    data,
    value: toQuantity(value),
    chainId: toQuantity(chainId),
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  }
  const estimate = BigInt(
    await provider.request({ method: 'eth_estimateGas', params: [unlimited] }),
  )
  const wanted = estimate + (estimate * gasMarginPercent) / 100n
  const gas = wanted < maxGas || estimate > maxGas ? wanted : maxGas
  return provider.request({
    method: 'eth_sendTransaction',
    params: [{ ...unlimited, gas: toQuantity(gas) }],
  })
}

/**
 * A number as JSON-RPC requires it: in hexadecimal.
 * @param {string | number | bigint} value
 */
export const toQuantity = (value) => `0x${BigInt(value).toString(16)}`
