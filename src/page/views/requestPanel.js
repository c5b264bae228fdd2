/** @import { Chain, PaidAmount, Progress, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatAmount, shortDecimal, shortHash } from '#src/page/amounts/amounts.js'
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
        ${
          status.refund?.paid &&
          html`<${Paid} label="Returned" paid=${status.refund.paid} chains=${chains} />`
        }
        <p class="note">Request <${Hash} hash=${status.requestId} what="request id" /></p>`
    }
  </section>`
}

/**
 * The amounts of a request: what the recipient got, if it is known, else as quoted.
 * @param {Pick<RequestStatus, 'currencyIn' | 'currencyOut' | 'paid'>} request
 */
export const titleOf = ({ currencyIn, currencyOut, paid }) =>
  `${amountOf(currencyIn)} to ${amountOf(paid ?? currencyOut)}`

/** @param {Pick<RequestStatus['currencyIn'], 'amountFormatted' | 'currency'>} amount */
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
          <${Hash} hash=${transaction.hash} what="transaction hash" explorerUrl=${transaction.explorerUrl} /> on ${chain?.displayName}
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
 * What the recipient got. The chain does not always show it: then the quoted amount, and that it is no more than that.
 * @param {{ status: RequestStatus, chains: readonly Chain[] }} props
 */
function Received({ status: { currencyOut, paid }, chains }) {
  if (paid !== null) return html`<${Paid} label="Received" paid=${paid} chains=${chains} />`
  return html`<p class="received">
    <span>Quoted: the chain does not show what was received</span>
    <b title=${currencyOut.amountFormatted}>${amountOf(currencyOut)}</b>
  </p>`
}

/**
 * A confirmed payment, and where. An amount that its recipient refused waits in the depository.
 * @param {{ label: string, paid: PaidAmount, chains: readonly Chain[] }} props
 */
function Paid({ label, paid, chains }) {
  const chain = chains.find(({ chainId }) => chainId === paid.chainId)
  const { currency, claimable } = paid
  const refused = claimable && currency && formatAmount(BigInt(claimable), currency.decimals)
  return html`<p class="received">
    <span>${label}</span>
    <b title=${paid.amountFormatted}>${amountOf(paid)}</b>
    <span>on ${chain?.displayName ?? `chain ${paid.chainId}`}</span>
    ${paid.txHash && html`<${Hash} hash=${paid.txHash} what="hash of the payment" explorerUrl=${paid.explorerUrl} />`}
    ${
      refused &&
      html`<span>The recipient refused ${shortDecimal(refused)} ${currency.symbol}, which it can claim.</span>`
    }
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

/** Time for which the button says that it has copied. */
const copiedMs = 1_500

/**
 * A hash in short, which a click copies whole. With its page in an explorer it is also a link.
 * @param {{ hash: string, what: string, explorerUrl?: string | null | undefined }} props
 */
function Hash({ hash, what, explorerUrl }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(hash)
    setCopied(true)
    setTimeout(() => setCopied(false), copiedMs)
  }
  const text = html`<code title=${hash}>${shortHash(hash)}</code>`

  return html`<span class="hash">
    ${explorerUrl ? html`<a href=${explorerUrl} target="_blank" rel="noreferrer">${text}</a>` : text}
    <button type="button" class="quiet copy" aria-label="Copy the ${what}" onClick=${copy}>
      ${isCopied ? 'Copied' : 'Copy'}
    </button>
  </span>`
}
