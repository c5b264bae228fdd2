/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Wallet } from '#src/page/accounts/injectedWallets.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { useEffect, useState } from 'preact/hooks'
import { connectWallet, discoverWallets } from '#src/page/accounts/injectedWallets.js'
import { nodeAccounts } from '#src/page/accounts/nodeAccounts.js'
import { wordsOf } from '#src/page/state/failureWords.js'

/**
 * The accounts that the user can send from, and the chosen one. On a devnet the first account is chosen at the start.
 * @param {readonly Chain[]} chains
 */
export function useAccounts(chains) {
  const [wallets, setWallets] = useState(/** @type {readonly Wallet[]} */ ([]))
  const [accounts, setAccounts] = useState(/** @type {readonly Account[]} */ ([]))
  const [account, setAccount] = useState(/** @type {Account | undefined} */ (undefined))
  const [failure, setFailure] = useState(/** @type {string | undefined} */ (undefined))

  useEffect(() => discoverWallets((wallet) => setWallets((all) => [...all, wallet])), [])
  useEffect(() => {
    void nodeAccounts(chains).then((found) => {
      setAccounts(found)
      setAccount((chosen) => chosen ?? found[0])
    })
  }, [chains])

  return {
    wallets,
    accounts,
    account,
    /** The reason why a wallet did not connect, in words for the user. */
    failure,
    setAccount,
    connect: async (/** @type {Wallet} */ wallet) => {
      setFailure(undefined)
      try {
        setAccount(await connectWallet(wallet))
      } catch (error) {
        setFailure(wordsOf(error))
      }
    },
  }
}
