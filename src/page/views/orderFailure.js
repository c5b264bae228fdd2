import { html } from 'htm/preact'
import { shortDecimal } from '#src/page/amounts/amounts.js'

/**
 * Why there is no price, and a button for the amount that works if the reason has one.
 * @param {{ words: string, remedy: string | undefined, symbol: string, onAmount: (amount: string) => void }} props
 */
export const OrderFailure = ({
  words,
  remedy,
  symbol,
  onAmount,
}) => html`<div class="failure" id="order-failure">
  <p role="alert">${words}</p>
  ${
    remedy !== undefined &&
    html`<button type="button" class="remedy" title=${remedy} onClick=${() => onAmount(remedy)}>
      Use ${shortDecimal(remedy)} ${symbol}
    </button>`
  }
</div>`
