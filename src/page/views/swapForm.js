/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
/** @import { Chosen } from '#src/page/state/chosen.js' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
/** @import { Fault, Options } from '#src/page/state/order.js' */
/** @import { LivePrice } from '#src/page/state/useLivePrice.js' */
/** @import { Swap } from '#src/page/state/useSwap.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { formatAmount, formatMicros, shortDecimal, toMicros } from '#src/page/amounts/amounts.js'
import { isSameCurrency } from '#src/page/state/chosen.js'
import { CurrencyField } from '#src/page/views/currencyField.js'
import { CurrencyPicker } from '#src/page/views/currencyPicker.js'
import { GaslessField } from '#src/page/views/gaslessField.js'
import { LiveLine } from '#src/page/views/liveLine.js'
import { OptionFields } from '#src/page/views/optionFields.js'

/**
 * The currencies and amounts to pay and to get, with the button that swaps.
 * @param {{
 *   chains: readonly Chain[],
 *   chosen: Chosen,
 *   options: Options,
 *   account: Account | undefined,
 *   offersGasless: boolean,
 *   live: LivePrice,
 *   heads: Heads,
 *   fault: Fault | undefined,
 *   isEmpty: boolean,
 *   balance: bigint | undefined,
 *   swapFailure: string | undefined,
 *   phase: Swap['phase'],
 *   onChosen: (chosen: Chosen) => void,
 *   onOptions: (options: Options) => void,
 *   onSwap: () => void
 * }} props `isEmpty` while no amount is typed.
 */
export function SwapForm(props) {
  const { chains, chosen, options, account, live, fault, balance, phase, onChosen } = props
  const { origin, destination, side, amount } = chosen
  const [picking, setPicking] = useState(/** @type {'in' | 'out' | undefined} */ (undefined))
  const details = live.price?.details
  const isOld = live.isOld || live.failure !== undefined
  const shown = (/** @type {'in' | 'out'} */ each) => {
    if (side === each) return amount
    const computed = each === 'in' ? details?.currencyIn : details?.currencyOut
    return computed === undefined || fault ? '' : shortDecimal(computed.amountFormatted, 10)
  }
  const turnAround = () =>
    onChosen({
      origin: destination,
      destination: origin,
      side: 'in',
      amount: (side === 'in' ? details?.currencyOut.amountFormatted : amount) ?? amount,
    })
  const failure = fault?.words ?? live.failure
  const isShort =
    balance !== undefined &&
    details !== undefined &&
    !isOld &&
    balance < BigInt(details.currencyIn.amount)
  const fieldOf = (/** @type {'in' | 'out'} */ each) => ({
    chains,
    amount: shown(each),
    isTyped: side === each,
    isWrong: side === each && fault?.field === 'amount',
    isOld: side !== each && isOld,
    onAmount: (/** @type {string} */ text) => onChosen({ ...chosen, side: each, amount: text }),
    onPick: () => setPicking(each),
  })
  const choose = (/** @type {Currency} */ next) => {
    const [unchanged, changed] =
      picking === 'in' ? [destination, 'origin'] : [origin, 'destination']
    if (isSameCurrency(next, unchanged)) turnAround()
    else onChosen({ ...chosen, [changed]: next })
  }
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault()
    props.onSwap()
  }

  return html`<form class="card order" onSubmit=${onSubmit}>
    <h1>Swap</h1>
    <${CurrencyField}
      ...${fieldOf('in')}
      name="pay"
      label="You pay"
      worth=${worthOf(details?.currencyIn.amountUsd)}
      currency=${origin}
    >
      ${
        balance !== undefined &&
        html`<span class=${isShort ? 'short' : ''}>
          Balance ${shortDecimal(formatAmount(balance, origin.decimals), 7)}
        </span>`
      }
    </${CurrencyField}>
    <button type="button" class="turn" aria-label="Exchange the two currencies" onClick=${turnAround}>
      <svg viewBox="0 0 20 20" width="18" aria-hidden="true">
        <path d="M7 3v13m0 0-3.5-3.5M7 16l3.5-3.5M13 17V4m0 0L9.5 7.5M13 4l3.5 3.5" />
      </svg>
    </button>
    <${CurrencyField}
      ...${fieldOf('out')}
      name="get"
      label="You get"
      worth=${worthOf(details?.currencyOut.amountUsd)}
      currency=${destination}
    />
    ${
      failure
        ? html`<p class="failure" id="order-failure" role="alert">${failure}</p>`
        : html`<${LiveLine} live=${live} chains=${chains} heads=${props.heads} />`
    }
    ${
      props.offersGasless &&
      html`<${GaslessField}
        origin=${origin}
        native=${chains.find(({ chainId }) => chainId === origin.chainId)?.nativeCurrency}
        isChosen=${options.gasless}
        onChosen=${(/** @type {boolean} */ gasless) => props.onOptions({ ...options, gasless })}
      />`
    }
    <${OptionFields}
      options=${options}
      account=${account}
      isOneChain=${origin.chainId === destination.chainId}
      wrong=${fault?.field}
      onOptions=${props.onOptions}
    />
    <button
      class="primary"
      disabled=${account === undefined || failure !== undefined || isOld || isShort || phase !== 'idle'}
    >
      ${buttonWords({ account, phase, isShort, isEmpty: props.isEmpty, symbol: origin.symbol })}
    </button>
    ${props.swapFailure && html`<p class="failure" role="alert">${props.swapFailure}</p>`}
  </form>
  ${
    picking &&
    html`<${CurrencyPicker}
      title=${picking === 'in' ? 'You pay' : 'You get'}
      chains=${chains}
      chosen=${picking === 'in' ? origin : destination}
      user=${account?.address}
      onChoose=${choose}
      onClose=${() => setPicking(undefined)}
    />`
  }`
}

/** @param {string | null | undefined} usd */
function worthOf(usd) {
  if (usd === undefined) return ''
  return usd === null ? 'No dollar price' : formatMicros(toMicros(usd))
}

/**
 * @param {{ account: Account | undefined, phase: string, isShort: boolean, isEmpty: boolean, symbol: string }} state
 */
function buttonWords({ account, phase, isShort, isEmpty, symbol }) {
  if (account === undefined) return 'Choose an account to swap'
  if (phase === 'quoting') return 'Taking the quote…'
  if (phase === 'signing') return 'Sign in your wallet…'
  if (phase === 'sending') return 'Sending…'
  if (isEmpty) return 'Type an amount'
  return isShort ? `Not enough ${symbol}` : 'Swap'
}
