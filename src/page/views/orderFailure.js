import { html } from 'htm/preact'
import { shortDecimal } from '#src/page/amounts/amounts.js'

/**
 * Why there is no price, and a button for the largest amount that works if the reason has one.
 * @param {{ words: string, largest: string | undefined, symbol: string, onAmount: (amount: string) => void }} props
 */
export const OrderFailure = ({
  words,
  largest,
  symbol,
  onAmount,
}) => html`<div class="failure" id="order-failure">
  <p role="alert">${words}</p>
  ${
    largest !== undefined &&
    html`<button type="button" class="remedy" title=${largest} onClick=${() => onAmount(largest)}>
      Use ${shortDecimal(largest)} ${symbol}
    </button>`
  }
</div>`
