/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Account, Provider } from '#src/page/accounts/provider.js' */
import { sendTransaction, toQuantity } from '#src/page/accounts/provider.js'
import { signTypedData } from '#src/page/accounts/typedData.js'

/**
 * A wallet of the browser. `connect` asks it for its account.
 * @typedef {Readonly<{
 *   vmType: Account['vmType'],
 *   id: string,
 *   name: string,
 *   icon: string,
 *   connect: () => Promise<Account>
 * }>} Wallet
 */

/**
 * Calls `onWallet` once for each wallet of the browser that EIP-6963 announces. Returns a function that stops it.
 * @param {(wallet: Wallet) => void} onWallet
 */
export function discoverWallets(onWallet) {
  const known = new Set()
  const add = (/** @type {EvmWallet} */ wallet) =>
    onWallet({ ...wallet, vmType: 'evm', connect: () => connectWallet(wallet) })
  /** @param {any} event */
  const announced = ({ detail: { info, provider } }) => {
    if (known.has(info.uuid)) return
    known.add(info.uuid)
    add({ id: info.uuid, name: info.name, icon: info.icon, provider })
  }
  window.addEventListener('eip6963:announceProvider', announced)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = /** @type {any} */ (window)
  // A wallet that is older than EIP-6963.
  if (known.size === 0 && ethereum !== undefined)
    add({ id: 'ethereum', name: 'Browser wallet', icon: '', provider: ethereum })
  return () => window.removeEventListener('eip6963:announceProvider', announced)
}

/** @typedef {Readonly<{ id: string, name: string, icon: string, provider: Provider }>} EvmWallet */

/**
 * @param {EvmWallet} wallet
 * @returns {Promise<Account>}
 */
async function connectWallet({ id, name, icon, provider }) {
  const [address] = await provider.request({ method: 'eth_requestAccounts' })
  if (address === undefined) throw new Error(`${name} has no account for this page`)
  return {
    vmType: 'evm',
    key: `wallet:${id}`,
    address: address.toLowerCase(),
    label: name,
    icon,
    send: async (transaction, chain) => {
      await switchTo(provider, chain)
      return sendTransaction(provider, transaction)
    },
    sign: async (typedData, chain) => {
      await switchTo(provider, chain)
      return signTypedData(provider, address, typedData)
    },
  }
}

/** The wallet does not know the chain. @source EIP-3085 */
const unknownChain = 4902

/**
 * @param {Provider} provider
 * @param {Chain} chain
 */
async function switchTo(provider, { chainId, displayName, rpcUrl, explorerUrl, nativeCurrency }) {
  const id = toQuantity(chainId)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] })
  } catch (error) {
    if (/** @type {any} */ (error)?.code !== unknownChain || rpcUrl === null) throw error
    const { symbol, name, decimals } = nativeCurrency
    const added = {
      chainId: id,
      chainName: displayName,
      rpcUrls: [rpcUrl],
      nativeCurrency: { symbol, name, decimals },
      ...(explorerUrl !== null && { blockExplorerUrls: [explorerUrl] }),
    }
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] })
  }
}
