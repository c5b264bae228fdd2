/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
/** @import { LivePrice } from '#src/page/state/useLivePrice.js' */
import { html } from 'htm/preact'
import { formatAmount, shortDecimal } from '#src/page/amounts/amounts.js'
import { durationWords } from '#src/page/views/words.js'

/**
 * The rate, the minimum, the time, and the newest blocks. A dot blinks when the price changes. Says when the connection is
 * broken: the price is then old.
 * @param {{ live: LivePrice, chains: readonly Chain[], heads: Heads, isConnected: boolean }} props
 */
export function LiveLine({ live: { price, failure, isOld }, chains, heads, isConnected }) {
  if (price === undefined)
    return failure === undefined && html`<div class="live old" aria-busy="true"></div>`
  const { currencyIn, currencyOut, rate, timeEstimate } = price.details
  const minimum = formatAmount(BigInt(currencyOut.minimumAmount), currencyOut.currency.decimals)
  const places = [...new Set([currencyIn.currency.chainId, currencyOut.currency.chainId])]
  const followed = chains.filter(({ chainId }) => places.includes(chainId))

  return html`<dl class="live ${isOld ? 'old' : ''}">
    <div>
      <dt>Rate</dt>
      <dd>1 ${currencyIn.currency.symbol} = ${shortDecimal(rate)} ${currencyOut.currency.symbol}</dd>
    </div>
    <div>
      <dt>At least</dt>
      <dd title=${minimum}>${shortDecimal(minimum)} ${currencyOut.currency.symbol}</dd>
    </div>
    <div>
      <dt>Takes</dt>
      <dd>${durationWords(timeEstimate)}</dd>
    </div>
    <div>
      <dt role="status">
        ${
          isConnected
            ? html`<span class="beat" key=${price.details.currencyOut.amount} aria-hidden="true"></span>Live`
            : 'Reconnecting'
        }
      </dt>
      <dd class="blocks">
        ${followed.map(
          ({ chainId, displayName }) =>
            html`<span key=${chainId}>${displayName} block ${heads[chainId] ?? '…'}</span>`,
        )}
      </dd>
    </div>
  </dl>`
}
