/** @import { Currency } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'

/**
 * The logo of a currency. Does not load logos from other hosts: it shows the letters of the symbol instead.
 * @param {{ currency: Pick<Currency, 'symbol'> & Partial<Pick<Currency, 'metadata'>>, size?: number }} props
 */
export function Logo({ currency: { symbol, metadata }, size = 28 }) {
  const uri = metadata?.logoURI ?? ''
  if (uri.startsWith('data:'))
    return html`<img class="logo" src=${uri} alt="" width=${size} height=${size} />`
  return html`<span class="logo letters" aria-hidden="true">${[...symbol].slice(0, 3).join('')}</span>`
}
