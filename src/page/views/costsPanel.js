/** @import { Price } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import { formatAmount, formatMicros, shortDecimal } from '#src/page/amounts/amounts.js'
import { costsOf } from '#src/page/amounts/costs.js'

/**
 * The costs in one sum, a bar of its parts, and the parts in numbers. What is no cost comes after the sum: the
 * tolerance, and the gas that the wallet pays.
 * @param {{ price: Price }} props
 */
export function CostsPanel({ price }) {
  const { parts, gains, gas, tolerance, total } = costsOf(price)
  const { currencyOut, totalImpact } = price.details
  const { decimals, symbol } = currencyOut.currency
  const minimum = formatAmount(BigInt(currencyOut.minimumAmount), decimals)

  return html`<section class="card costs" aria-labelledby="costs-title">
    <h2 id="costs-title">Costs</h2>
    ${
      totalImpact === null
        ? html`<p class="note">One of the currencies has no dollar price, so the costs cannot be compared.</p>`
        : html`<p class="headline"><b>${formatMicros(absolute(total))}</b> ${totalWords(totalImpact.percent)}</p>`
    }
    ${
      parts.length > 0 &&
      html`<div class="bar" role="img" aria-label="The parts of the costs, as listed below">
        ${parts.map(
          ({ key, share }) =>
            html`<span key=${key} class=${key} style=${{ flexGrow: share }}></span>`,
        )}
      </div>`
    }
    <dl>
      ${parts.map(
        ({ key, label, micros }) => html`<div key=${key} class=${key}>
          <dt>${label}</dt>
          <dd>${formatMicros(micros)}</dd>
        </div>`,
      )}
      ${gains.map(
        ({ key, label, micros }) => html`<div key=${key}>
          <dt>${label}</dt>
          <dd>+${formatMicros(micros)}</dd>
        </div>`,
      )}
      <div class="sum">
        <dt>Expected</dt>
        <dd title=${currencyOut.amountFormatted}>${shortDecimal(currencyOut.amountFormatted)} ${symbol}</dd>
      </div>
      <div>
        <dt>Tolerance, ${tolerance.percent}%</dt>
        <dd>${tolerance.micros === undefined ? 'without a dollar price' : `at most ${formatMicros(tolerance.micros)} less`}</dd>
      </div>
      <div>
        <dt>Minimum, promised</dt>
        <dd title=${minimum}>${shortDecimal(minimum)} ${symbol}</dd>
      </div>
      <div>
        <dt>Plus gas from your wallet</dt>
        <dd>${gas}</dd>
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
