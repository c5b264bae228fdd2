/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import { Logo } from '#src/page/views/logo.js'

/**
 * An amount and its currency.
 * @param {{
 *   name: string,
 *   label: string,
 *   amount: string,
 *   isTyped: boolean,
 *   isWrong: boolean,
 *   isOld: boolean,
 *   worth: string,
 *   currency: Currency,
 *   chains: readonly Chain[],
 *   onAmount: (amount: string) => void,
 *   onPick: () => void,
 *   children?: unknown
 * }} props `isTyped` if the user typed the amount. Otherwise it comes from the price.
 */
export function CurrencyField(props) {
  const { name, label, amount, isTyped, isWrong, isOld, worth, currency, chains } = props
  const chain = chains.find(({ chainId }) => chainId === currency.chainId)

  return html`<div class="field ${isTyped ? '' : 'computed'} ${isOld ? 'old' : ''}">
    <label for=${name}>${label}</label>
    <div class="row">
      <input
        id=${name}
        class=${sizeOf(amount)}
        inputmode="decimal"
        autocomplete="off"
        spellcheck=${false}
        placeholder="0"
        title=${amount}
        value=${amount}
        aria-invalid=${isWrong}
        aria-describedby=${isWrong ? 'order-failure' : `${name}-worth`}
        onInput=${(/** @type {any} */ { target }) => props.onAmount(target.value)}
      />
      <button
        type="button"
        class="currency"
        aria-haspopup="dialog"
        aria-label="${label}: ${currency.symbol} on ${chain?.displayName}. Change"
        onClick=${props.onPick}
      >
        <${Logo} currency=${currency} />
        <span class="names"><b>${currency.symbol}</b><span>${chain?.displayName}</span></span>
        <svg viewBox="0 0 12 12" width="10" aria-hidden="true"><path d="m2 4 4 4 4-4" /></svg>
      </button>
    </div>
    <div class="under"><span id="${name}-worth">${worth}</span>${props.children}</div>
  </div>`
}

/**
 * Long amounts have a smaller font, so that all of their digits are visible.
 * @param {string} amount
 */
function sizeOf({ length }) {
  if (length > 11) return 'longer'
  return length > 7 ? 'long' : ''
}
