/** @import { Books, Day, Holding, Inventory, Move, OpenRequests } from '#src/page/operator/books.ts' */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { formatMicros, shortDecimal, toMicros } from '#src/page/amounts/amounts.js'
import { useBooks } from '#src/page/operator/useBooks.js'

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** The operator's page. It reads the solver's books; nothing on it acts. */
export function Operator() {
  const { key, books, readAt, failure, enter, forget } = useBooks()
  return html`
    <header class="top">
      <a class="brand" href="/"><img src="/page/icon.svg" alt="" width="28" height="28" />Crossquote</a>
      <h1>Operator</h1>
      ${readAt !== undefined && html`<p class="note read">Read at ${times.format(readAt)}</p>`}
      ${key !== '' && html`<button type="button" class="quiet" onClick=${forget}>Forget the key</button>`}
    </header>
    <main class="alone operator">
      ${failure !== undefined && html`<p class="failure" role="alert">${failure}</p>`}
      ${key === '' && html`<${KeyForm} onKey=${enter} />`}
      ${key !== '' && books === undefined && failure === undefined && html`<p class="note" role="status">Reading the books…</p>`}
      ${
        books !== undefined &&
        html`<${Alarms} books=${books} />
          <${MovesPanel} books=${books} />
          <section class="chains" aria-label="Inventory">
            ${books.chains.map((chain) => html`<${ChainCard} key=${chain.chainId} chain=${chain} />`)}
          </section>
          <${DaysPanel} days=${books.days} />
          <${OpenPanel} rows=${books.openRequests} />`
      }
    </main>`
}

/** @param {{ onKey: (key: string) => void }} props */
function KeyForm({ onKey }) {
  const [typed, setTyped] = useState('')
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    if (typed.trim() !== '') onKey(typed.trim())
  }
  return html`<form class="card key" onSubmit=${submit}>
    <label for="key">API key of an operator</label>
    <div class="row">
      <input
        id="key"
        type="password"
        autocomplete="off"
        value=${typed}
        onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ { currentTarget }) => setTyped(currentTarget.value)}
      />
      <button type="submit" class="show">Show the books</button>
    </div>
    <p class="note">It stays in this tab until the tab is closed. The configuration gives a key the right operator.</p>
  </form>`
}

/** @param {Books} books @param {number | undefined} id */
const nameOf = ({ chains }, id) =>
  chains.find(({ chainId }) => chainId === id)?.displayName ?? `chain ${id}`

/** @param {{ books: Books }} props */
function Alarms({ books: { alarms } }) {
  if (alarms.length === 0) return html`<p class="card calm">No alarms</p>`
  return html`<section class="card alarms" aria-labelledby="alarms-title">
    <h2 id="alarms-title">Alarms</h2>
    <ul>
      ${alarms.map(({ name, text }) => html`<li><b>${text}</b> <span class="note">${name}</span></li>`)}
    </ul>
  </section>`
}

/** @param {{ books: Books }} props */
function MovesPanel({ books }) {
  if (books.moves.length === 0) return null
  const costOf = (/** @type {Move} */ { costUsd }) =>
    costUsd === undefined
      ? 'What a crossing costs here is unknown.'
      : `A crossing costs ${dollars(costUsd)} here.`
  const wayOf = (/** @type {Move} */ { amountUsd, from, to }) => {
    const worth = amountUsd === undefined ? '' : ` (${dollars(amountUsd)})`
    return `${worth} from ${nameOf(books, from.chainId)} to ${nameOf(books, to.chainId)}.`
  }
  return html`<section class="card moves" aria-labelledby="moves-title">
    <h2 id="moves-title">To reach the targets</h2>
    <ul>
      ${books.moves.map(
        (move) => html`<li>
          ${'Move '}<b title=${move.amountFormatted}>${shortDecimal(move.amountFormatted)} ${move.asset}</b>
          ${wayOf(move)}
          <span class="note"> ${costOf(move)}</span>
        </li>`,
      )}
    </ul>
  </section>`
}

/** @param {{ chain: Inventory }} props */
function ChainCard({ chain }) {
  const { displayName, gasSymbol, gasBalanceFormatted, gasFills, holdings } = chain
  const fills = gasFills === undefined ? 'unknown' : shortDecimal(String(gasFills), 3)
  return html`<section class="card chain" aria-label=${displayName}>
    <h2>${displayName}</h2>
    <p class="note">
      Gas: <span title=${gasBalanceFormatted}>${amount(gasBalanceFormatted)} ${gasSymbol}</span>, for ${fills} fills
    </p>
    <table>
      <thead>
        <tr><th scope="col">Currency</th><th scope="col">Held</th><th scope="col">Target</th></tr>
      </thead>
      <tbody>
        ${holdings.map((holding) => html`<${HoldingRow} key=${holding.symbol} holding=${holding} />`)}
      </tbody>
    </table>
  </section>`
}

/** @param {{ holding: Holding }} props */
function HoldingRow({ holding }) {
  const { symbol, balance, balanceFormatted, balanceUsd, target, targetFormatted, isLow } = holding
  const share = shareOf(balance, target)
  return html`<tr class=${isLow ? 'low' : ''}>
    <th scope="row">${symbol}</th>
    <td>
      <span title=${balanceFormatted}>${amount(balanceFormatted)}</span>
      ${balanceUsd !== undefined && html`<span class="note"> ${dollars(balanceUsd)}</span>`}
      ${
        holding.unsettled !== '0' &&
        html`<span class="note" title=${holding.unsettledFormatted}> +${shortDecimal(holding.unsettledFormatted)} to settle</span>`
      }
    </td>
    <td>
      ${target === undefined ? html`<span class="note">none</span>` : html`<span title=${targetFormatted}>${amount(targetFormatted)}</span>`}
      ${
        share !== undefined &&
        html`<meter min="0" max="100" value=${Math.min(share, 100)} aria-label=${`${symbol}: ${share} % of its target`}></meter>
          <span class="note"> ${share} %${isLow ? ', low' : ''}</span>`
      }
    </td>
  </tr>`
}

/**
 * Whole percent of the target, rounded down; undefined without one.
 * @param {string | undefined} balance
 * @param {string | undefined} target
 */
function shareOf(balance, target) {
  if (balance === undefined || target === undefined || target === '0') return undefined
  return Number((BigInt(balance) * 100n) / BigInt(target))
}

/** @param {{ days: readonly Day[] }} props */
function DaysPanel({ days }) {
  const unknown = days.reduce((sum, { total }) => sum + total.unknownValues, 0)
  return html`<section class="card days" aria-labelledby="days-title">
    <h2 id="days-title">Profit per day (UTC)</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th><th scope="col">Volume</th><th scope="col">Fees</th>
          <th scope="col">Gas</th><th scope="col">Profit</th>
        </tr>
      </thead>
      <tbody>
        ${days.map(
          ({ day, total }) => html`<tr key=${day}>
            <th scope="row"><time datetime=${day}>${day.slice(5)}</time></th>
            <td title=${total.volumeUsd}>${dollars(total.volumeUsd)}</td>
            <td title=${total.feesUsd}>${dollars(total.feesUsd)}</td>
            <td title=${total.gasUsd}>${dollars(total.gasUsd)}</td>
            <td title=${total.profitUsd} class=${total.profitUsd.startsWith('-') ? 'loss' : ''}>${dollars(total.profitUsd)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${unknown > 0 && html`<p class="note">${unknown} values are unknown, and not in these sums.</p>`}
  </section>`
}

const ages = /** @type {const} */ ([
  [0, 'under 5 min'],
  [300, '5 min to 1 h'],
  [3_600, '1 h to 1 day'],
  [86_400, 'over a day'],
])
const statuses = /** @type {const} */ (['depositing', 'pending', 'submitted'])

/** @param {{ rows: readonly OpenRequests[] }} props */
function OpenPanel({ rows }) {
  const countOf = (/** @type {string} */ status, /** @type {number} */ age) =>
    rows.find((row) => row.status === status && row.minAgeSeconds === age)?.count ?? 0
  return html`<section class="card open" aria-labelledby="open-title">
    <h2 id="open-title">Open requests by age</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Quoted</th>
          ${statuses.map((status) => html`<th scope="col">${status}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${ages.map(
          ([age, words]) => html`<tr key=${age}>
            <th scope="row">${words}</th>
            ${statuses.map((status) => html`<td>${countOf(status, age)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/** @param {string} usd */
const dollars = (usd) => formatMicros(toMicros(usd))

/** @param {string | undefined} text */
const amount = (text) => (text === undefined ? 'unknown' : shortDecimal(text))
