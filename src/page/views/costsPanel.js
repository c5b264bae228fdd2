/** @import { Price } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import { formatAmount, formatMicros, shortDecimal } from '#src/page/amounts/amounts.js'
import { costsOf } from '#src/page/amounts/costs.js'

/**
 * A bar from the minimum output to the value of the input. Its parts are slippage, impact and fees. The list below has
 * the same parts in numbers.
 * @param {{ price: Price }} props
 */
export function CostsPanel({ price }) {
  const costs = costsOf(price)
  const { currencyOut, totalImpact } = price.details
  const { decimals, symbol } = currencyOut.currency
  const minimum = shortDecimal(formatAmount(BigInt(currencyOut.minimumAmount), decimals), 8)
  const expected = shortDecimal(currencyOut.amountFormatted, 8)

  return html`<section class="card costs" aria-labelledby="costs-title">
    <h2 id="costs-title">Costs</h2>
    ${
      totalImpact === null
        ? html`<p class="note">One of the currencies has no dollar price, so the costs cannot be compared.</p>`
        : html`<p class="headline"><b>${formatMicros(absolute(costs.total))}</b> ${totalWords(totalImpact.percent)}</p>`
    }
    ${
      costs.parts.length > 0 &&
      html`<div class="bar" role="img" aria-label="The parts of the costs, as listed below">
        ${costs.parts.map(
          ({ key, share }) =>
            html`<span key=${key} class=${key} style=${{ flexGrow: share }}></span>`,
        )}
      </div>
      <div class="ends" aria-hidden="true"><span>At least ${minimum}</span><span>${costs.gains.length === 0 ? 'Value paid' : ''}</span></div>`
    }
    <dl>
      ${costs.parts.map(
        ({ key, label, micros }) => html`<div key=${key} class=${key}>
          <dt>${label}</dt>
          <dd>${formatMicros(micros)}</dd>
        </div>`,
      )}
      ${costs.gains.map(
        ({ key, label, micros }) => html`<div key=${key}>
          <dt>${label}</dt>
          <dd>+${formatMicros(micros)}</dd>
        </div>`,
      )}
      <div class="sum">
        <dt>Expected</dt>
        <dd>${expected} ${symbol}</dd>
      </div>
      <div>
        <dt>Minimum, promised</dt>
        <dd>${minimum} ${symbol}</dd>
      </div>
      <div>
        <dt>Gas from your wallet, besides</dt>
        <dd>${costs.gas}</dd>
      </div>
    </dl>
  </section>`
}

/** @param {string} percent such as "-0.31" */
const totalWords = (percent) =>
  percent.startsWith('-')
    ? `is ${percent.slice(1)}% of what you pay`
    : `more than you pay, by ${percent}%: the pools pay more than the price feeds say`

/** @param {bigint} amount */
const absolute = (amount) => (amount < 0n ? -amount : amount)
