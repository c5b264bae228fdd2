/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Wallet } from '#src/page/accounts/injectedWallets.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { useEffect, useState } from 'preact/hooks'
import { discoverWallets } from '#src/page/accounts/injectedWallets.js'
import { nodeAccounts } from '#src/page/accounts/nodeAccounts.js'
import { discoverStandardWallets } from '#src/page/accounts/svm/standardWallets.js'
import { wordsOf } from '#src/page/state/failureWords.js'

/**
 * The chosen account of each virtual machine.
 * @typedef {Readonly<Partial<Record<Account['vmType'], Account>>>} ChosenAccounts
 */

/**
 * The accounts that the user can send from, and the chosen ones. On a devnet the first accounts are chosen at the start.
 * @param {readonly Chain[]} chains
 */
export function useAccounts(chains) {
  const [wallets, setWallets] = useState(/** @type {readonly Wallet[]} */ ([]))
  const [accounts, setAccounts] = useState(/** @type {readonly Account[]} */ ([]))
  const [chosen, setChosen] = useState(/** @type {ChosenAccounts} */ ({}))
  const [failure, setFailure] = useState(/** @type {string | undefined} */ (undefined))
  const choose = (/** @type {Account} */ account) =>
    setChosen((all) => ({ ...all, [account.vmType]: account }))

  useEffect(() => {
    const add = (/** @type {Wallet} */ wallet) => setWallets((all) => [...all, wallet])
    const change = (/** @type {string} */ key, /** @type {Account | undefined} */ account) =>
      setChosen((all) => {
        if (all.svm?.key !== key) return all
        const { svm: _, ...others } = all
        return account === undefined ? others : { ...others, [account.vmType]: account }
      })
    const stops = [discoverWallets(add), discoverStandardWallets(add, change)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  useEffect(() => {
    void nodeAccounts(chains).then((found) => {
      setAccounts(found)
      const firsts = found.toReversed().map((account) => [account.vmType, account])
      setChosen((all) => ({ ...Object.fromEntries(firsts), ...all }))
    })
  }, [chains])

  return {
    wallets,
    accounts,
    chosen,
    /** The reason why a wallet did not connect, in words for the user. */
    failure,
    choose,
    connect: async (/** @type {Wallet} */ wallet) => {
      setFailure(undefined)
      try {
        choose(await wallet.connect())
      } catch (error) {
        setFailure(wordsOf(error))
      }
    },
  }
}
