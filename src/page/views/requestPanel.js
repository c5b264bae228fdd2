/** @import { Chain, Progress, RequestStatus } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import { shortDecimal, shortHash } from '#src/page/amounts/amounts.js'
import { progressWords, reasonWords, statusWords } from '#src/page/views/words.js'

/**
 * A request, live: each transaction with its hash, block and confirmations, and how it ended.
 * @param {{ status: RequestStatus | undefined, failure: string | undefined, chains: readonly Chain[], onClose: () => void }} props
 */
export function RequestPanel({ status, failure, chains, onClose }) {
  return html`<section class="card request" aria-labelledby="request-title">
    <header>
      <h2 id="request-title">${status === undefined ? 'Your swap' : titleOf(status)}</h2>
      <button type="button" class="quiet" onClick=${onClose}>Close</button>
    </header>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${
      status !== undefined &&
      html`<ol class="progress">
          ${transactionsOf(status).map(
            ({ label, progress }, at) =>
              html`<${Item} key=${at} label=${label} progress=${progress} chains=${chains} />`,
          )}
        </ol>
        <p class="outcome ${status.status}" role="status" data-status=${status.status}>
          <b>${statusWords[status.status]}</b>${outcomeWords(status)}
        </p>
        <p class="note">Request <code title=${status.requestId}>${shortHash(status.requestId)}</code></p>`
    }
  </section>`
}

/** @param {Pick<RequestStatus, 'currencyIn' | 'currencyOut'>} request */
export const titleOf = ({ currencyIn, currencyOut }) =>
  `${amountOf(currencyIn)} to ${amountOf(currencyOut)}`

/** @param {RequestStatus['currencyIn']} amount */
const amountOf = ({ amountFormatted, currency }) =>
  `${shortDecimal(amountFormatted ?? '0', 6)} ${currency?.symbol ?? ''}`

/** @param {RequestStatus} status */
function transactionsOf({ steps, fill, refund }) {
  const sent = steps.flatMap(({ description, items }) =>
    items.map((progress) => ({ label: description, progress })),
  )
  // A refunded request gets no payment. One that was sent before the refund is shown.
  const isAbandoned = refund !== null && fill?.transaction === null
  return [
    ...sent,
    ...(fill === null || isAbandoned
      ? []
      : [{ label: 'The solver pays the recipient', progress: fill }]),
    ...(refund === null ? [] : [{ label: 'The solver returns the deposit', progress: refund }]),
  ]
}

/** @param {{ label: string, progress: Progress, chains: readonly Chain[] }} props */
function Item({ label, progress: { status, transaction }, chains }) {
  const chain = chains.find(({ chainId }) => chainId === transaction?.chainId)
  return html`<li class=${status}>
    <span class="mark" aria-hidden="true"></span>
    <div>
      <b>${label}</b>
      <span class="state">${progressWords[status]}</span>
      ${
        transaction !== null &&
        html`<span class="chain">
          <${Hash} hash=${transaction.hash} explorerUrl=${chain?.explorerUrl} /> on ${chain?.displayName}
          ${transaction.blockNumber !== null && html`, block ${transaction.blockNumber}`}
          ${transaction.confirmations !== null && html`, ${confirmationWords(transaction.confirmations)}`}
        </span>`
      }
    </div>
  </li>`
}

/** @param {number} count */
const confirmationWords = (count) => (count === 1 ? '1 confirmation' : `${count} confirmations`)

/** @param {{ hash: string, explorerUrl: string | null | undefined }} props */
const Hash = ({ hash, explorerUrl }) =>
  explorerUrl
    ? html`<a href="${explorerUrl}/tx/${hash}" target="_blank" rel="noreferrer"><code title=${hash}>${shortHash(hash)}</code></a>`
    : html`<code title=${hash}>${shortHash(hash)}</code>`

/** @param {RequestStatus} status */
function outcomeWords({ status, failReason, refundFailReason }) {
  switch (status) {
    case 'success':
      return failReason === null ? ' The recipient is paid.' : ` ${reasonWords(failReason)}`
    case 'refund':
      return ` The deposit is back. ${reasonWords(failReason ?? '')}`
    case 'failure':
      return ` ${reasonWords(refundFailReason ?? failReason ?? '')}`
    default:
      return ''
  }
}
