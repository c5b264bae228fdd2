/** @import { useAccounts } from '#src/page/state/useAccounts.js' */
import { html } from 'htm/preact'
import { shortHash } from '#src/page/amounts/amounts.js'

/**
 * The choice of the account: those of the devnet, and the wallets of the browser.
 * @param {ReturnType<typeof useAccounts>} props
 */
export function AccountMenu({ wallets, accounts, account, failure, setAccount, connect }) {
  const onChange = (/** @type {any} */ { target }) => {
    const wallet = wallets.find(({ id }) => `wallet:${id}` === target.value)
    if (wallet !== undefined) return void connect(wallet)
    setAccount(accounts.find(({ key }) => key === target.value))
  }
  const hasNone = wallets.length + accounts.length === 0

  return html`<div class="account">
    <label class="unseen" for="account">Account</label>
    <select id="account" value=${account?.key ?? ''} onChange=${onChange} disabled=${hasNone}>
      ${account === undefined && html`<option value="">${hasNone ? 'No wallet in this browser' : 'Choose an account'}</option>`}
      ${accounts.map(({ key, label, address }) => html`<option key=${key} value=${key}>${label}: ${shortHash(address)}</option>`)}
      ${wallets.map(
        ({ id, name }) => html`<option key=${id} value="wallet:${id}">
          ${name}${account?.key === `wallet:${id}` ? `: ${shortHash(account.address)}` : ''}
        </option>`,
      )}
    </select>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
  </div>`
}
