/** @import { Chain, CurrencyAmount, Price, RouteHop, RouteLeg, RoutePath } from '#src/page/api/answers.ts' */
import { html } from 'htm/preact'
import {
  compactAmount,
  formatAmount,
  formatMicros,
  shortDecimal,
  shortHash,
  toMicros,
} from '#src/page/amounts/amounts.js'
import { Logo } from '#src/page/views/logo.js'
import { durationWords, sourceWords } from '#src/page/views/words.js'

/**
 * The route from top to bottom: the input, the pools on the origin chain, the bridge, the pools on the destination
 * chain, the output. The width of a line is the share of its path.
 * @param {{ price: Price, chains: readonly Chain[] }} props
 */
export function RoutePanel({ price, chains }) {
  const { currencyIn, currencyOut, route, timeEstimate } = price.details
  const isOneChain = currencyIn.currency.chainId === currencyOut.currency.chainId
  const nameOf = (/** @type {CurrencyAmount} */ { currency }) =>
    chains.find(({ chainId }) => chainId === currency.chainId)?.displayName ??
    `chain ${currency.chainId}`
  const stop = (/** @type {CurrencyAmount} */ amount, /** @type {string} */ note) =>
    html`<${Stop} amount=${amount} note=${note} />`

  return html`<section class="card route" aria-labelledby="route-title">
    <h2 id="route-title">Route</h2>
    <ol class="line">
      ${stop(currencyIn, `You pay on ${nameOf(currencyIn)}`)}
      <${Leg} leg=${route.origin} />
      ${
        !isOneChain &&
        html`
        ${stop(route.origin.outputCurrency, `Deposited on ${nameOf(route.origin.outputCurrency)}`)}
        <li class="bridge">
          <div class="hop">
            <b>The solver bridges</b>
            <span>pays from its own balance, ${durationWords(timeEstimate)}</span>
            <span>fee ${dollars(price.fees.relayer)}</span>
          </div>
        </li>
        ${stop(route.destination.inputCurrency, `Spent on ${nameOf(route.destination.inputCurrency)}`)}
        <${Leg} leg=${route.destination} />`
      }
      ${stop(currencyOut, `${isOneChain ? 'You get' : 'You get on'} ${isOneChain ? '' : nameOf(currencyOut)}`)}
    </ol>
  </section>`
}

/** @param {{ amount: CurrencyAmount, note: string }} props */
const Stop = ({ amount, note }) => html`<li class="stop">
  <${Logo} currency=${amount.currency} size=${24} />
  <b title=${amount.amountFormatted}>${shortDecimal(amount.amountFormatted)} ${amount.currency.symbol}</b>
  <span>${note}</span>
</li>`

/** @param {{ leg: RouteLeg }} props */
function Leg({ leg: { inputCurrency, outputCurrency, paths } }) {
  const isUnchanged = paths.length === 0
  if (isUnchanged) {
    const isWrapped = inputCurrency.currency.address !== outputCurrency.currency.address
    return html`<li class="paths plain">${isWrapped ? 'Wrapped one to one' : 'No swap on this chain'}</li>`
  }
  return html`<li class="paths">
    <ul aria-label=${paths.length > 1 ? `Split over ${paths.length} paths` : 'One path'}>
      ${paths.map((path, at) => html`<${Path} key=${at} path=${path} />`)}
    </ul>
  </li>`
}

/** @param {{ path: RoutePath }} props */
const Path = ({
  path: { share, hops },
}) => html`<li class="path" style=${{ '--share': Number(share) / 10_000 }}>
  ${share !== '10000' && html`<span class="share">${shortDecimal(formatAmount(BigInt(share), 2))}%</span>`}
  <ol>
    ${hops.map((hop) => html`<${Hop} key=${hop.poolId ?? hop.pool} hop=${hop} />`)}
  </ol>
</li>`

/** @param {{ hop: RouteHop }} props */
function Hop({
  hop: { pool, poolId, swapSource, feePips, outputAddress, outputCurrency, outputAmount, depth },
}) {
  const symbol = outputCurrency?.symbol ?? shortHash(outputAddress)
  const decimals = outputCurrency?.decimals ?? 0
  return html`<li class="hop" title="Pool ${poolId ?? pool}">
    <b>${sourceWords(swapSource)} ${shortDecimal(formatAmount(BigInt(feePips), 4))}%</b>
    <span title=${formatAmount(BigInt(outputAmount), decimals)}>
      to ${shortDecimal(formatAmount(BigInt(outputAmount), decimals))} ${symbol}
    </span>
    <span>depth ${compactAmount(BigInt(depth), decimals)} ${symbol}</span>
  </li>`
}

/** @param {CurrencyAmount} amount */
const dollars = ({ amountUsd, amountFormatted, currency }) =>
  amountUsd === null
    ? `${shortDecimal(amountFormatted)} ${currency.symbol}`
    : formatMicros(toMicros(amountUsd))
