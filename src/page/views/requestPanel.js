/** @import { Chain, Progress, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import { shortDecimal } from '#src/page/amounts/amounts.js'
import { Hash } from '#src/page/views/hash.js'
import { progressWords, reasonWords, statusWords } from '#src/page/views/words.js'

/**
 * A request, live: each transaction with its hash, block and confirmations, and the outcome. Comes into view when it
 * opens: on a phone it would be below the form.
 * @param {{ status: RequestStatus | undefined, failure: string | undefined, chains: readonly Chain[], heads: Heads, onClose: () => void }} props
 */
export function RequestPanel({ status, failure, chains, heads, onClose }) {
  const section = useRef(/** @type {HTMLElement | null} */ (null))
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [status === undefined])

  return html`<section class="card request" ref=${section} aria-labelledby="request-title">
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
        ${status.status === 'success' && html`<${Received} status=${status} chains=${chains} />`}
        <p class="note">Request <${Hash} hash=${status.requestId} what="request id" /></p>`
    }
  </section>`
}

/** @param {Pick<RequestStatus, 'currencyIn' | 'currencyOut'>} request */
export const titleOf = ({ currencyIn, currencyOut }) =>
  `${amountOf(currencyIn)} to ${amountOf(currencyOut)}`

/** @param {RequestStatus['currencyIn']} amount */
const amountOf = ({ amountFormatted, currency }) =>
  `${shortDecimal(amountFormatted ?? '0')} ${currency?.symbol ?? ''}`

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
          <${Hash} hash=${transaction.hash} what="transaction hash" explorerUrl=${chain?.explorerUrl} /> on ${chain?.displayName}
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

/**
 * What the recipient got, and where. The API knows the quoted amount, of which the payment may differ within the
 * tolerance.
 * @param {{ status: RequestStatus, chains: readonly Chain[] }} props
 */
function Received({ status: { currencyOut, fill, steps }, chains }) {
  const chain = chains.find(({ chainId }) => chainId === currencyOut.chainId)
  const payment = fill?.transaction ?? steps.at(-1)?.items.at(-1)?.transaction
  return html`<p class="received">
    <span>Received, as quoted</span>
    <b title=${currencyOut.amountFormatted}>${amountOf(currencyOut)}</b>
    <span>on ${chain?.displayName ?? `chain ${currencyOut.chainId}`}</span>
    ${payment && html`<${Hash} hash=${payment.hash} what="hash of the payment" explorerUrl=${chain?.explorerUrl} />`}
  </p>`
}

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
