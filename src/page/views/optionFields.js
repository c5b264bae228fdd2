/** @import { Options } from '#src/page/state/order.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { html } from 'htm/preact'

/**
 * The optional fields of an order. `wrong` is the name of the field that the failure is about.
 * @param {{
 *   options: Options,
 *   account: Account | undefined,
 *   payee: Account | undefined,
 *   isOneChain: boolean,
 *   wrong: string | number | undefined,
 *   onOptions: (options: Options) => void
 * }} props
 */
export function OptionFields({ options, account, payee, isOneChain, wrong, onOptions }) {
  const text = (/** @type {'slippage' | 'recipient'} */ name) => ({
    id: name,
    autocomplete: 'off',
    spellcheck: false,
    value: options[name],
    ...(name === wrong && { 'aria-invalid': true, 'aria-describedby': 'order-failure' }),
    onInput: (/** @type {any} */ { target }) => onOptions({ ...options, [name]: target.value }),
  })

  return html`<details class="options">
    <summary>Options</summary>
    <label for="slippage">Slippage tolerance, in percent</label>
    <input ...${text('slippage')} inputmode="decimal" placeholder="Automatic" />
    <label for="recipient">Recipient</label>
    <input ...${text('recipient')} placeholder=${payee?.address ?? 'An address on the other chain'} />
    ${
      account?.key.startsWith('node:') &&
      !isOneChain &&
      html`<label class="check">
        <input
          type="checkbox"
          checked=${options.refund}
          onChange=${(/** @type {any} */ { target }) => onOptions({ ...options, refund: target.checked })}
        />
        Let the devnet’s solver refund this swap
      </label>`
    }
  </details>`
}
