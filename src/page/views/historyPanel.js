/** @import { Chain, RequestSummary } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import { titleOf } from '#src/page/views/requestPanel.js'
import { statusWords } from '#src/page/views/words.js'

/**
 * The newest requests of the account. Each opens its progress.
 * @param {{ requests: readonly RequestSummary[], chains: readonly Chain[], failure: string | undefined, onOpen: (requestId: string) => void }} props
 */
export function HistoryPanel({ requests, chains, failure, onOpen }) {
  const nameOf = (/** @type {number} */ id) =>
    chains.find(({ chainId }) => chainId === id)?.displayName ?? `chain ${id}`
  const wayOf = (/** @type {RequestSummary} */ { originChainId, destinationChainId }) =>
    originChainId === destinationChainId
      ? nameOf(originChainId)
      : `${nameOf(originChainId)} to ${nameOf(destinationChainId)}`

  return html`<section class="card history" aria-labelledby="history-title">
    <h2 id="history-title">History</h2>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    ${requests.length === 0 && !failure && html`<p class="note">This account has not swapped yet.</p>`}
    <ul>
      ${requests.map(
        (request) => html`<li key=${request.requestId}>
          <button type="button" onClick=${() => onOpen(request.requestId)}>
            <b>${titleOf(request)}</b>
            <span>${wayOf(request)}</span>
            <span class="status ${request.status}">${statusWords[request.status]}</span>
            <time datetime=${new Date(request.quoteCreatedAtMs).toISOString()}>${timeOf(request.quoteCreatedAtMs)}</time>
          </button>
        </li>`,
      )}
    </ul>
  </section>`
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** @param {number} milliseconds since 1970 */
const timeOf = (milliseconds) => times.format(milliseconds)
