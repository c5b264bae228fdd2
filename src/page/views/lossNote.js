/** @import { Loss } from '#src/page/amounts/loss.js' */
import { html } from 'htm/preact'

/**
 * A loss that the user should know of. A severe one must be accepted, unless the swap would be refused anyway.
 * @param {{
 *   loss: Loss,
 *   isRefused: boolean,
 *   isAccepted: boolean,
 *   onAccepted: (isAccepted: boolean) => void
 * }} props
 */
export function LossNote({
  loss: { level, percent, title, words },
  isRefused,
  isAccepted,
  onAccepted,
}) {
  return html`<div class="loss ${level}">
    <p role="status"><b>${title}</b> ${words}</p>
    ${
      level === 'severe' &&
      !isRefused &&
      html`<label class="check">
        <input
          type="checkbox"
          id="accept-loss"
          checked=${isAccepted}
          onChange=${(/** @type {any} */ { target }) => onAccepted(target.checked)}
        />
        Swap anyway, and lose ${percent.toFixed(1)}%
      </label>`
    }
  </div>`
}
