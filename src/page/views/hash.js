import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { shortHash } from '#src/page/amounts/amounts.js'

/** Time for which the button says that it has copied. */
const copiedMs = 1_500

/**
 * A hash in short, which a click copies whole. With its page in an explorer it is also a link.
 * @param {{ hash: string, what: string, explorerUrl?: string | null | undefined }} props
 */
export function Hash({ hash, what, explorerUrl }) {
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
