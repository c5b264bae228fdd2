/** @import { Currency } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'

/**
 * The logo of a currency. Logos of other hosts are not loaded: the letters of the symbol stand for them.
 * @param {{ currency: Pick<Currency, 'symbol'> & Partial<Pick<Currency, 'metadata'>>, size?: number }} props
 */
export function Logo({ currency: { symbol, metadata }, size = 28 }) {
  const uri = metadata?.logoURI ?? ''
  if (uri.startsWith('data:'))
    return html`<img class="logo" src=${uri} alt="" width=${size} height=${size} />`
  return html`<span class="logo letters" aria-hidden="true">${[...symbol].slice(0, 3).join('')}</span>`
}
