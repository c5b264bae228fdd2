/** @import { Currency } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'

/**
 * The choice to pay the network fee in the currency of the swap: the user only signs.
 * @param {{
 *   origin: Currency,
 *   native: Currency | undefined,
 *   isChosen: boolean,
 *   onChosen: (isChosen: boolean) => void
 * }} props
 */
export function GaslessField({ origin, native, isChosen, onChosen }) {
  return html`<div class="check gasless">
    <input
      id="gasless"
      type="checkbox"
      checked=${isChosen}
      aria-describedby="gasless-note"
      onChange=${(/** @type {any} */ { target }) => onChosen(target.checked)}
    />
    <div>
      <label for="gasless">Pay the network fee in ${origin.symbol}</label>
      <p id="gasless-note" class="note">You only sign, and need no ${native?.symbol}.</p>
    </div>
  </div>`
}
