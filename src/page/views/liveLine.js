/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { LivePrice } from '#src/page/state/useLivePrice.js' */
import { html } from 'htm/preact'
import { formatAmount, shortDecimal } from '#src/page/amounts/amounts.js'
import { durationWords } from '#src/page/views/words.js'

/**
 * The rate with the minimum, the time, and the blocks that the price is of. A dot beats whenever the price changes.
 * @param {{ live: LivePrice, chains: readonly Chain[] }} props
 */
export function LiveLine({ live: { price, failure, isOld }, chains }) {
  if (price === undefined)
    return html`<div class="live old" aria-busy=${failure === undefined}></div>`
  const { currencyIn, currencyOut, rate, timeEstimate } = price.details
  const minimum = formatAmount(BigInt(currencyOut.minimumAmount), currencyOut.currency.decimals)
  const nameOf = (/** @type {number} */ id) =>
    chains.find(({ chainId }) => chainId === id)?.displayName

  return html`<dl class="live ${isOld ? 'old' : ''}">
    <div>
      <dt>Rate</dt>
      <dd>1 ${currencyIn.currency.symbol} = ${shortDecimal(rate, 8)} ${currencyOut.currency.symbol}</dd>
    </div>
    <div>
      <dt>At least</dt>
      <dd title=${minimum}>${shortDecimal(minimum, 8)} ${currencyOut.currency.symbol}</dd>
    </div>
    <div>
      <dt>Takes</dt>
      <dd>${durationWords(timeEstimate)}</dd>
    </div>
    <div>
      <dt><span class="beat" key=${price.details.currencyOut.amount} aria-hidden="true"></span>Live</dt>
      <dd class="blocks">
        ${price.blocks.map(({ chainId, number }) => html`<span key=${chainId}>${nameOf(chainId)} block ${number}</span>`)}
      </dd>
    </div>
  </dl>`
}
