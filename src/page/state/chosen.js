/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
import { currencyDocument } from '#src/page/api/documents.js'
import { ask } from '#src/page/api/gatewayClient.js'

/**
 * The user's choice. `side` is the field of the typed `amount`: the currency to pay (`in`) or to get (`out`).
 * @typedef {Readonly<{ origin: Currency, destination: Currency, side: 'in' | 'out', amount: string }>} Chosen
 */

/**
 * The choice in the URL of the page, such as ?from=1:0x…&to=10:0x…&amount=0.5. Defaults to one unit of the first
 * chain's native currency, for a currency that the solver pays on the next chain.
 * @param {readonly Chain[]} chains
 * @returns {Promise<Chosen>}
 */
export async function readChosen(chains) {
  const search = new URLSearchParams(location.search)
  const [first, second = first] = chains.filter(({ disabled }) => !disabled)
  if (first === undefined || second === undefined) throw new Error('The gateway has no chains')
  const paid = second.solverCurrencies.map(({ currency }) => currency)
  const isOther = (/** @type {Currency} */ each) => each.symbol !== first.nativeCurrency.symbol
  const [origin, destination] = await Promise.all([
    findCurrency(search.get('from')),
    findCurrency(search.get('to')),
  ])
  return {
    origin: origin ?? first.nativeCurrency,
    destination: destination ?? paid.find(isOther) ?? second.nativeCurrency,
    side: search.get('side') === 'out' ? 'out' : 'in',
    amount: search.get('amount') ?? '1',
  }
}

/**
 * @param {string | null} text such as 990001:0x…
 * @returns {Promise<Currency | undefined>}
 */
async function findCurrency(text) {
  const [, chainId, address] =
    /^(\d+):(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(text ?? '') ?? []
  if (chainId === undefined) return undefined
  const answer = await ask(currencyDocument, { chainId: Number(chainId), address }).catch(
    () => ({}),
  )
  return answer.currency ?? undefined
}

/**
 * Writes the choice into the URL of the page, so that the user can save and share it.
 * @param {Chosen} chosen
 */
export function writeChosen({ origin, destination, side, amount }) {
  const search = new URLSearchParams(location.search)
  search.set('from', `${origin.chainId}:${origin.address}`)
  search.set('to', `${destination.chainId}:${destination.address}`)
  search.set('amount', amount)
  if (side === 'out') search.set('side', side)
  else search.delete('side')
  history.replaceState(null, '', `?${search}`)
}

/**
 * @param {Currency} one
 * @param {Currency} other
 */
export const isSameCurrency = (one, other) =>
  one.chainId === other.chainId && one.address === other.address
