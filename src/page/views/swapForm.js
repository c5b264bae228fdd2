/** @import { Chain, Currency, PriceInput } from '#src/page/api/answers.ts' */
/** @import { Chosen } from '#src/page/state/chosen.js' */
/** @import { Heads } from '#src/page/state/useHeads.js' */
/** @import { Fault, Options } from '#src/page/state/order.js' */
/** @import { LivePrice } from '#src/page/state/useLivePrice.js' */
/** @import { Swap } from '#src/page/state/useSwap.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
/** @import { ChosenAccounts } from '#src/page/state/useAccounts.js' */
/** @import { Loss } from '#src/page/amounts/loss.js' */
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { formatAmount, formatMicros, shortDecimal, toMicros } from '#src/page/amounts/amounts.js'
import { isCovered, lossOf } from '#src/page/amounts/loss.js'
import { isSameCurrency } from '#src/page/state/chosen.js'
import { failureWords, warningWords, workingAmountIn } from '#src/page/state/failureWords.js'
import { obstacleTo } from '#src/page/state/obstacle.js'
import { CurrencyField } from '#src/page/views/currencyField.js'
import { CurrencyPicker } from '#src/page/views/currencyPicker.js'
import { GaslessField } from '#src/page/views/gaslessField.js'
import { LiveLine } from '#src/page/views/liveLine.js'
import { OptionFields } from '#src/page/views/optionFields.js'

/**
 * @typedef {{
 *   chains: readonly Chain[],
 *   chosen: Chosen,
 *   options: Options,
 *   input: PriceInput | undefined,
 *   account: Account | undefined,
 *   payee: Account | undefined,
 *   accounts: ChosenAccounts,
 *   isConnected: boolean,
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
 * }} Props `payee` is paid unless the user types a recipient; `isEmpty` while no amount is typed.
 */

/**
 * The form of a swap: what to pay and to get, what is in the way, and the button that swaps.
 * @param {Props} props
 */
export function SwapForm(props) {
  const { chains, chosen, options, account, live, fault, balance, input } = props
  const { origin, destination, side } = chosen
  const isOld = live.isOld || live.failure !== undefined
  const paid = live.price?.details.currencyIn.amount
  const isShort = balance !== undefined && paid !== undefined && !isOld && balance < BigInt(paid)
  const loss = live.price && !fault && live.failure === undefined ? lossOf(live.price) : undefined
  const consent = useConsent(input, loss)
  const typed = side === 'in' ? origin : destination
  const failure =
    fault !== undefined
      ? { words: fault.words }
      : live.failure && {
          words: failureWords(live.failure, chains),
          remedy: workingAmountIn(live.data, typed),
        }
  const { refusal, notes } = warningWords(failure ? [] : (live.price?.warnings ?? []), chains)
  const obstacle = obstacleTo({
    ...props,
    hasRecipient: props.payee !== undefined || options.recipient.trim() !== '',
    hasFailure: failure !== undefined,
    isShort,
    symbol: origin.symbol,
    isRefused: refusal !== undefined,
    needsConsent: !consent.isGiven,
  })
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault()
    props.onSwap()
  }

  return html`<form class="card order" onSubmit=${onSubmit}>
    <h1>Swap</h1>
    <${CurrencyFields} ...${props} isOld=${isOld} isShort=${isShort} />
    ${
      failure
        ? html`<${OrderFailure}
            ...${failure}
            symbol=${typed.symbol}
            onAmount=${(/** @type {string} */ amount) => props.onChosen({ ...chosen, amount })}
          />`
        : html`<${LiveLine} live=${live} chains=${chains} heads=${props.heads} isConnected=${props.isConnected} />`
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
      payee=${props.payee}
      isOneChain=${origin.chainId === destination.chainId}
      wrong=${fault?.field ?? (failure && live.data?.issues?.[0]?.path[0])}
      onOptions=${props.onOptions}
    />
    ${
      loss &&
      html`<${LossNote} loss=${loss} isRefused=${refusal !== undefined} isAccepted=${consent.isGiven} onAccepted=${consent.give} />`
    }
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    ${notes.map((words) => html`<p class="note" role="status" key=${words}>${words}</p>`)}
    <button class="primary" disabled=${obstacle !== undefined || isOld}>${obstacle ?? 'Swap'}</button>
    ${props.swapFailure && html`<p class="failure" role="alert">${props.swapFailure}</p>`}
  </form>`
}

/**
 * Both amounts with their currencies, and the picker of a currency.
 * @param {Props & { isOld: boolean, isShort: boolean }} props
 */
function CurrencyFields({
  chains,
  chosen,
  accounts,
  live,
  fault,
  balance,
  isOld,
  isShort,
  onChosen,
}) {
  const { origin, destination, side, amount } = chosen
  const [picking, setPicking] = useState(/** @type {'in' | 'out' | undefined} */ (undefined))
  const details = live.price?.details
  const computed = side === 'in' ? details?.currencyOut : details?.currencyIn
  const shown = computed === undefined || fault ? '' : shortDecimal(computed.amountFormatted)
  const turnAround = () =>
    onChosen({
      origin: destination,
      destination: origin,
      side: 'in',
      amount: (side === 'in' ? details?.currencyOut.amountFormatted : amount) ?? amount,
    })
  const fieldOf = (/** @type {'in' | 'out'} */ each) => ({
    chains,
    amount: side === each ? amount : shown,
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

  return html`
    <${CurrencyField}
      ...${fieldOf('in')}
      name="pay"
      label="You pay"
      worth=${worthOf(details?.currencyIn.amountUsd)}
      currency=${origin}
    >
      ${
        balance !== undefined &&
        html`<span class=${isShort ? 'short' : ''} title=${formatAmount(balance, origin.decimals)}>
          Balance ${shortDecimal(formatAmount(balance, origin.decimals))}
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
      picking &&
      html`<${CurrencyPicker}
        title=${picking === 'in' ? 'You pay' : 'You get'}
        chains=${chains}
        chosen=${picking === 'in' ? origin : destination}
        accounts=${accounts}
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
 * A loss that the user should know of. A severe one must be accepted, unless the swap would be refused anyway.
 * @param {{
 *   loss: Loss,
 *   isRefused: boolean,
 *   isAccepted: boolean,
 *   onAccepted: (isAccepted: boolean) => void
 * }} props
 */
function LossNote({ loss: { level, percent, title, words }, isRefused, isAccepted, onAccepted }) {
  return html`<div class="loss ${level}">
    <p role="status"><b>${title}</b> ${words}</p>
    ${
      level === 'severe' &&
      !isRefused &&
      html`<label class="check">
        <input
          type="checkbox"
          id="accept-loss"
          checked=${isAccepted}
          onChange=${(/** @type {any} */ { target }) => onAccepted(target.checked)}
        />
        Swap anyway, and lose ${percent.toFixed(1)}%
      </label>`
    }
  </div>`
}

/**
 * Why there is no price, and a button for the amount that works if the reason has one.
 * @param {{ words: string, remedy: string | undefined, symbol: string, onAmount: (amount: string) => void }} props
 */
const OrderFailure = ({
  words,
  remedy,
  symbol,
  onAmount,
}) => html`<div class="failure" id="order-failure">
  <p role="alert">${words}</p>
  ${
    remedy !== undefined &&
    html`<button type="button" class="remedy" title=${remedy} onClick=${() => onAmount(remedy)}>
      Use ${shortDecimal(remedy)} ${symbol}
    </button>`
  }
</div>`

/**
 * Whether the user has accepted the loss of this very order. `isGiven` also without a loss to accept.
 * @param {PriceInput | undefined} input
 * @param {Loss | undefined} loss
 */
function useConsent(input, loss) {
  const [accepted, setAccepted] = useState({ key: '', percent: 0 })
  const key = JSON.stringify(input) ?? ''
  const percent = accepted.key === key ? accepted.percent : 0
  return {
    isGiven: loss === undefined || isCovered(loss, percent),
    give: (/** @type {boolean} */ isAccepted) =>
      setAccepted({ key, percent: isAccepted ? (loss?.percent ?? 0) : 0 }),
  }
}
