/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
/** @import { LivePrice } from '#src/page/state/useLivePrice.js' */
import { html } from 'htm/preact'
import { formatAmount, shortDecimal } from '#src/page/amounts/amounts.js'
import { durationWords } from '#src/page/views/words.js'

/**
 * The rate, the minimum, the time, and the newest blocks. A dot blinks when the price changes.
 * @param {{ live: LivePrice, chains: readonly Chain[], heads: Heads }} props
 */
export function LiveLine({ live: { price, failure, isOld }, chains, heads }) {
  if (price === undefined)
    return failure === undefined && html`<div class="live old" aria-busy="true"></div>`
  const { currencyIn, currencyOut, rate, timeEstimate } = price.details
  const minimum = formatAmount(BigInt(currencyOut.minimumAmount), currencyOut.currency.decimals)
  const places = [...new Set([currencyIn.currency.chainId, currencyOut.currency.chainId])]
  const followed = chains.filter(({ chainId }) => places.includes(chainId))

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
        ${followed.map(
          ({ chainId, displayName }) =>
            html`<span key=${chainId}>${displayName} block ${heads[chainId] ?? '…'}</span>`,
        )}
      </dd>
    </div>
  </dl>`
}
