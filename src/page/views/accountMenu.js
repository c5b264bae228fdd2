/** @import { Account } from '#src/page/accounts/provider.js' */
/** @import { useAccounts } from '#src/page/state/useAccounts.js' */
import { html } from 'htm/preact'
import { shortHash } from '#src/page/amounts/amounts.js'

/**
 * The choice of an account: those of the devnet, and the wallets of the browser, of one virtual machine.
 * @param {ReturnType<typeof useAccounts> & { id: string, label: string, isLabelled: boolean, vmType: Account['vmType'] }} props
 */
export function AccountMenu({ id, label, isLabelled, vmType, choose, connect, ...all }) {
  const isOurs = (/** @type {{ vmType: Account['vmType'] }} */ each) => each.vmType === vmType
  const [accounts, wallets] = [all.accounts.filter(isOurs), all.wallets.filter(isOurs)]
  const account = all.chosen[vmType]
  const onChange = (/** @type {any} */ { target }) => {
    const wallet = wallets.find((each) => `wallet:${each.id}` === target.value)
    if (wallet !== undefined) return void connect(wallet)
    const found = accounts.find(({ key }) => key === target.value)
    if (found !== undefined) choose(found)
  }
  const hasNone = wallets.length + accounts.length === 0

  return html`<div class="menu">
    <label class=${isLabelled ? '' : 'unseen'} for=${id}>${label}</label>
    <select id=${id} value=${account?.key ?? ''} onChange=${onChange} disabled=${hasNone}>
      ${account === undefined && html`<option value="">${hasNone ? 'No wallet in this browser' : 'Choose an account'}</option>`}
      ${accounts.map(({ key, label: name, address }) => html`<option key=${key} value=${key}>${name}: ${shortHash(address)}</option>`)}
      ${wallets.map(
        (wallet) => html`<option key=${wallet.id} value="wallet:${wallet.id}">
          ${wallet.name}${account?.key === `wallet:${wallet.id}` ? `: ${shortHash(account.address)}` : ''}
        </option>`,
      )}
    </select>
  </div>`
}
