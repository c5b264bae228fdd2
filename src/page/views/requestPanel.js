/** @import { Chain, Progress, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
import { html } from 'htm/preact'
import { shortDecimal, shortHash } from '#src/page/amounts/amounts.js'
import { progressWords, reasonWords, statusWords } from '#src/page/views/words.js'

/**
 * A request, live: each transaction with its hash, block and confirmations, and the outcome.
 * @param {{ status: RequestStatus | undefined, failure: string | undefined, chains: readonly Chain[], heads: Heads, onClose: () => void }} props
 */
export function RequestPanel({ status, failure, chains, heads, onClose }) {
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
              html`<${Item} key=${at} label=${label} progress=${progress} chains=${chains} heads=${heads} />`,
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
  // A refunded request gets no payment, unless the payment was sent before the refund.
  const isAbandoned = refund !== null && fill?.transaction === null
  return [
    ...sent,
    ...(fill === null || isAbandoned
      ? []
      : [{ label: 'The solver pays the recipient', progress: fill }]),
    ...(refund === null ? [] : [{ label: 'The solver returns the deposit', progress: refund }]),
  ]
}

/** @param {{ label: string, progress: Progress, chains: readonly Chain[], heads: Heads }} props */
function Item({ label, progress: { status, transaction }, chains, heads }) {
  const chain = chains.find(({ chainId }) => chainId === transaction?.chainId)
  const depth = transaction === null ? 0 : depthOf(transaction, heads)
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
          ${depth > 0 && html`, ${confirmationWords(depth)}`}
        </span>`
      }
    </div>
  </li>`
}

/**
 * Confirmations of a transaction: its block and the blocks after it. 0 until a block contains it. The status has the
 * number at its own time, so newer heads are added.
 * @param {NonNullable<Progress['transaction']>} transaction
 * @param {Heads} heads
 */
function depthOf({ chainId, blockNumber, confirmations }, heads) {
  if (blockNumber === null) return 0
  return Math.max(confirmations ?? 0, (heads[chainId] ?? 0) - blockNumber + 1)
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
