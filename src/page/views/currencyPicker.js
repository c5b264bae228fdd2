/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
/** @import { ChosenAccounts } from '#src/page/state/useAccounts.js' */
import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatAmount, shortDecimal } from '#src/page/amounts/amounts.js'
import { findCurrencies } from '#src/page/api/currencies.js'
import { wordsOf } from '#src/page/state/failureWords.js'
import { Logo } from '#src/page/views/logo.js'

// On a phone the keyboard would cover the list.
const focusesSearch = !matchMedia('(pointer: coarse)').matches

/**
 * A dialog to choose a currency, by chain and search term.
 * @param {{
 *   title: string,
 *   chains: readonly Chain[],
 *   chosen: Currency,
 *   accounts: ChosenAccounts,
 *   onChoose: (currency: Currency) => void,
 *   onClose: () => void
 * }} props
 */
export function CurrencyPicker({ title, chains, chosen, accounts, onChoose, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null))
  const [chainId, setChainId] = useState(chosen.chainId)
  const [term, setTerm] = useState('')
  const { found, failure } = useSearch(chains, { chainId, term, accounts })
  useEffect(() => dialog.current?.showModal(), [])
  const choose = (/** @type {Currency} */ currency) => {
    onChoose(currency)
    dialog.current?.close()
  }
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault()
    const [first] = found ?? []
    if (first !== undefined) choose(first.currency)
  }

  return html`<dialog class="picker" ref=${dialog} aria-labelledby="picker-title" onClose=${onClose}>
    <header>
      <h2 id="picker-title">${title}</h2>
      <button type="button" class="quiet" onClick=${() => dialog.current?.close()}>Close</button>
    </header>
    <fieldset class="chips">
      <legend class="unseen">Chain</legend>
      ${chains.map(
        (chain) => html`<label key=${chain.chainId}>
          <input
            type="radio"
            name="chain"
            checked=${chain.chainId === chainId}
            onChange=${() => setChainId(chain.chainId)}
          /><span>${chain.displayName}</span>
        </label>`,
      )}
    </fieldset>
    <form role="search" onSubmit=${onSubmit}>
      <label class="unseen" for="term">Search by symbol, name or address</label>
      <input
        id="term"
        type="search"
        autofocus=${focusesSearch}
        autocomplete="off"
        spellcheck=${false}
        placeholder="Symbol, name or address"
        value=${term}
        onInput=${(/** @type {any} */ { target }) => setTerm(target.value)}
      />
    </form>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <ul class="currencies" aria-label="Currencies">
      ${found?.map(
        ({ currency, balance }) => html`<li key=${currency.address}>
          <button type="button" onClick=${() => choose(currency)}>
            <${Logo} currency=${currency} />
            <span class="names"><b>${currency.symbol}</b><span>${currency.name}</span></span>
            ${balance !== undefined && html`<span class="balance">${shortDecimal(formatAmount(balance, currency.decimals))}</span>`}
          </button>
        </li>`,
      )}
    </ul>
    ${found?.length === 0 && html`<p class="note" role="status">No currency of this chain matches.</p>`}
  </dialog>`
}

/**
 * The currencies that match, with the balances of the account on their chain.
 * @param {readonly Chain[]} chains
 * @param {{ chainId: number, term: string, accounts: ChosenAccounts }} search
 */
function useSearch(chains, { chainId, term, accounts }) {
  const [result, setResult] = useState(
    /** @type {{ found?: Awaited<ReturnType<typeof findCurrencies>>, failure?: string }} */ ({}),
  )
  useEffect(() => {
    const abandoned = new AbortController()
    const chain = chains.find((each) => each.chainId === chainId)
    if (chain === undefined) return
    const user = accounts[chain.vmType]?.address
    findCurrencies({ chain, term: term.trim(), user }, abandoned.signal)
      .then((found) => setResult({ found }))
      .catch((error) => {
        if (!abandoned.signal.aborted) setResult({ failure: wordsOf(error) })
      })
    return () => abandoned.abort()
  }, [chains, chainId, term, accounts])
  return result
}
