/** @import { Chain, SvmTransaction } from '#src/page/api/answers.ts' */
/** @import { Account } from '#src/page/accounts/provider.js' */
/** @import { Wallet } from '#src/page/accounts/injectedWallets.js' */
import { hasLocalNode } from '#src/page/accounts/node.js'
import { encodeBase58 } from '#src/page/accounts/svm/base58.js'
import { prepareTransaction, sendSigned, toBase64 } from '#src/page/accounts/svm/sending.js'

/**
 * A wallet of the Wallet Standard, and an account of it.
 * @typedef {Readonly<{ name: string, icon: string, chains: readonly string[], features: any }>} StandardWallet
 * @typedef {Readonly<{ address: string }>} StandardAccount
 * @source @wallet-standard/base
 */

const signing = 'solana:signTransaction'
const sending = 'solana:signAndSendTransaction'

/**
 * Calls `onWallet` once for each wallet of the browser that sends transactions, and `onChange` with the key of an
 * account whose wallet has another one from now on, or none. Returns a function that stops both.
 * @param {(wallet: Wallet) => void} onWallet
 * @param {(key: string, account: Account | undefined) => void} [onChange]
 */
export function discoverStandardWallets(onWallet, onChange = () => {}) {
  const known = new Set()
  /** @type {Map<string, () => void>} */
  const stops = new Map()
  const follow = (/** @type {string} */ id, /** @type {StandardWallet} */ wallet) => {
    const events = wallet.features['standard:events']
    if (events === undefined || stops.has(id)) return
    const changed = (/** @type {{ accounts?: readonly StandardAccount[] }} */ { accounts }) => {
      if (accounts === undefined) return
      const [account] = accounts
      onChange(keyOf(id), account && accountOf(id, wallet, account))
    }
    stops.set(id, events.on('change', changed))
  }
  const register = (/** @type {readonly StandardWallet[]} */ ...wallets) => {
    for (const wallet of wallets) {
      if (known.has(wallet) || !canSend(wallet)) continue
      known.add(wallet)
      const id = `standard-${known.size}`
      const { name, icon } = wallet
      const connectAndFollow = async () => {
        const account = await connect(id, wallet)
        follow(id, wallet)
        return account
      }
      onWallet({ vmType: 'svm', id, name, connect: connectAndFollow, icon })
    }
    return () => {}
  }
  const announced = (/** @type {any} */ { detail: callback }) => callback({ register })
  window.addEventListener('wallet-standard:register-wallet', announced)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  return () => {
    window.removeEventListener('wallet-standard:register-wallet', announced)
    for (const stop of stops.values()) stop()
  }
}

/** @param {StandardWallet} wallet */
const canSend = ({ chains, features }) =>
  chains.some((chain) => chain.startsWith('solana:')) &&
  'standard:connect' in features &&
  (signing in features || sending in features)

/**
 * Asks the wallet for its account.
 * @param {string} id
 * @param {StandardWallet} wallet
 * @returns {Promise<Account>}
 */
async function connect(id, wallet) {
  const { accounts } = await wallet.features['standard:connect'].connect()
  /** @type {StandardAccount | undefined} */
  const account = accounts[0]
  if (account === undefined) throw new Error(`${wallet.name} has no account for this page`)
  return accountOf(id, wallet, account)
}

const keyOf = (/** @type {string} */ id) => `wallet:${id}`

/**
 * @param {string} id
 * @param {StandardWallet} wallet
 * @param {StandardAccount} account
 * @returns {Account}
 */
const accountOf = (id, wallet, account) => ({
  vmType: 'svm',
  key: keyOf(id),
  address: account.address,
  label: wallet.name,
  icon: wallet.icon,
  send: (transaction, chain) => send(wallet, account, { transaction, chain }),
})

/** Mainnet in orders, as Relay numbers it. */
const mainnetId = 792703809

/**
 * Signs and sends. A wallet does not know a chain of this machine: there it signs, and the page sends.
 * @param {StandardWallet} wallet
 * @param {StandardAccount} account
 * @param {Readonly<{ transaction: SvmTransaction, chain: Chain }>} sent
 * @returns {Promise<string>} the signature in base58.
 */
async function send({ name, features }, account, { transaction, chain }) {
  const { [signing]: signer, [sending]: sender } = features
  const isLocal = hasLocalNode(chain) && signer !== undefined
  if (!isLocal && (sender === undefined || chain.chainId !== mainnetId))
    throw new Error(`${name} cannot send on ${chain.displayName}`)
  const bytes = await prepareTransaction(transaction)
  if (isLocal) {
    const input = { account, transaction: bytes, chain: 'solana:localnet' }
    const [{ signedTransaction }] = await signer.signTransaction(input)
    return sendSigned(chain, toBase64(signedTransaction))
  }
  const input = { account, transaction: bytes, chain: 'solana:mainnet' }
  const [{ signature }] = await sender.signAndSendTransaction(input)
  return encodeBase58(signature)
}
