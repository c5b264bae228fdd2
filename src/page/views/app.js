/** @import { Chain, Currency } from '#src/page/api/answers.ts' */
/** @import { Chosen } from '#src/page/state/chosen.js' */
/** @import { Options, Parties } from '#src/page/state/order.js' */
import { html } from 'htm/preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { chainsDocument } from '#src/page/api/documents.js'
import { ask, watchConnection } from '#src/page/api/gatewayClient.js'
import { readChosen, writeChosen } from '#src/page/state/chosen.js'
import { wordsOf } from '#src/page/state/failureWords.js'
import { orderOf } from '#src/page/state/order.js'
import { useAccounts } from '#src/page/state/useAccounts.js'
import { useBalance, useHistory } from '#src/page/state/useBalance.js'
import { useHeads } from '#src/page/state/useHeads.js'
import { useCurve, useDebounced, useLivePrice } from '#src/page/state/useLivePrice.js'
import { useSupportsPermit } from '#src/page/state/usePermits.js'
import { useSwap } from '#src/page/state/useSwap.js'
import { AccountMenu } from '#src/page/views/accountMenu.js'
import { CostsPanel } from '#src/page/views/costsPanel.js'
import { CurvePanel } from '#src/page/views/curvePanel.js'
import { HistoryPanel } from '#src/page/views/historyPanel.js'
import { RequestPanel } from '#src/page/views/requestPanel.js'
import { RoutePanel } from '#src/page/views/routePanel.js'
import { SwapForm } from '#src/page/views/swapForm.js'

/** Pause before the page asks again for what it needs to start. */
const retryMs = 2_000

/** The page. It first loads the chains, which everything else needs. */
export function App() {
  const [start, setStart] = useState(
    /** @type {{ chains?: readonly Chain[], chosen?: Chosen, failure?: string }} */ ({}),
  )
  useEffect(() => {
    const load = async () => {
      const { chains } = await ask(chainsDocument)
      setStart({ chains, chosen: await readChosen(chains) })
    }
    const tryAgain = () =>
      load().catch((error) => {
        setStart({ failure: wordsOf(error) })
        setTimeout(tryAgain, retryMs)
      })
    void tryAgain()
  }, [])
  const { chains, chosen, failure } = start
  if (failure !== undefined)
    return html`<main class="alone"><p class="failure" role="alert">${failure}</p></main>`
  if (chains === undefined || chosen === undefined) return html`<main aria-busy="true"></main>`
  return html`<${Exchange} chains=${chains} first=${chosen} />`
}

/** Delay of a price after a key stroke, so that typing causes fewer requests. */
const typingMs = 200

/** @param {{ chains: readonly Chain[], first: Chosen }} props */
function Exchange({ chains, first }) {
  const [chosen, setChosen] = useState(first)
  const [options, setOptions] = useState(
    /** @type {Options} */ ({ slippage: '', recipient: '', refund: false, gasless: false }),
  )
  const accounts = useAccounts(chains)
  const heads = useHeads(chains)
  const { origin, destination } = chosen
  const [payerVm, payeeVm] = [vmOf(chains, origin), vmOf(chains, destination)]
  const [account, payee] = [accounts.chosen[payerVm], accounts.chosen[payeeVm]]
  const supportsPermit = useSupportsPermit(origin, heads[origin.chainId])
  // On one chain there is no solver that would pay the gas.
  const offersGasless =
    supportsPermit && account !== undefined && origin.chainId !== destination.chainId
  const gasless = options.gasless && offersGasless
  const { input: typed, fault } = useMemo(
    () => orderOf(chosen, { ...options, gasless }, { payerVm, payeeVm, account, payee }),
    [chosen, options, gasless, payerVm, payeeVm, account, payee],
  )
  const input = useDebounced(typed, typingMs)
  const isConnected = useConnection()
  const live = useLivePrice(input, isConnected)
  const points = useCurve(input, live)
  const { swap, start, status, failure, requestId, showRequest } = useSwap(chains)
  const head = heads[origin.chainId]
  const balance = useBalance(origin, account?.address, status?.seq, head, isConnected)
  const history = useHistory(account?.address, status?.status, isConnected)
  useEffect(() => writeChosen(chosen), [chosen])

  const onSwap = () => {
    if (input !== undefined && account !== undefined && live.price !== undefined)
      void start(input, account, live.price)
  }
  const { price } = live
  const curved = chosen.side === 'in' ? origin : destination
  return html`
    <header class="top">
      <a class="brand" href="/"><img src="/page/icon.svg" alt="" width="28" height="28" />Crossquote</a>
      <nav aria-label="APIs"><a href="/graphql">GraphQL</a><a href="/docs">REST</a></nav>
      <${AccountMenus} ...${accounts} payerVm=${payerVm} payeeVm=${payeeVm} />
    </header>
    <main>
      <${SwapForm}
        chains=${chains}
        chosen=${chosen}
        options=${options}
        input=${input}
        account=${account}
        payee=${payee}
        accounts=${accounts.chosen}
        isConnected=${isConnected}
        offersGasless=${offersGasless}
        live=${{ ...live, isOld: live.isOld || input !== typed }}
        heads=${heads}
        fault=${fault}
        isEmpty=${typed === undefined && fault === undefined}
        balance=${balance}
        swapFailure=${swap.failure}
        phase=${swap.phase}
        onChosen=${setChosen}
        onOptions=${setOptions}
        onSwap=${onSwap}
      />
      <div class="panels">
        ${
          requestId !== undefined &&
          html`<${RequestPanel}
            status=${status}
            failure=${failure}
            chains=${chains}
            heads=${heads}
            onClose=${() => showRequest(undefined)}
          />`
        }
        ${
          price === undefined &&
          html`<p class="card note empty">The route and its costs appear here as soon as there is a price.</p>`
        }
        ${
          price !== undefined &&
          html`<${RoutePanel} price=${price} chains=${chains} />
            <${CostsPanel} price=${price} />
            <${CurvePanel} points=${points} currency=${curved} amount=${BigInt(input?.amount ?? 0)} />`
        }
      </div>
      ${account !== undefined && html`<${HistoryPanel} ...${history} chains=${chains} onOpen=${showRequest} />`}
    </main>`
}

/**
 * @param {readonly Chain[]} chains
 * @param {Currency} currency
 */
const vmOf = (chains, currency) =>
  chains.find(({ chainId }) => chainId === currency.chainId)?.vmType ?? 'evm'

/** Whether the gateway is connected: what is shown is old while it is not. */
function useConnection() {
  const [isConnected, setConnected] = useState(true)
  useEffect(() => watchConnection(setConnected), [])
  return isConnected
}

/**
 * The account that pays, and the one that is paid if it is of another virtual machine.
 * @param {ReturnType<typeof useAccounts> & Pick<Parties, 'payerVm' | 'payeeVm'>} props
 */
function AccountMenus({ payerVm, payeeVm, ...accounts }) {
  const isOne = payerVm === payeeVm
  return html`<div class="account">
    <${AccountMenu}
      ...${accounts}
      key=${payerVm}
      id="account"
      label=${isOne ? 'Account' : 'Pay from'}
      isLabelled=${!isOne}
      vmType=${payerVm}
    />
    ${
      !isOne &&
      html`<${AccountMenu} ...${accounts} key=${payeeVm} id="other-account" label="Receive at" isLabelled vmType=${payeeVm} />`
    }
    ${accounts.failure && html`<p class="failure" role="alert">${accounts.failure}</p>`}
  </div>`
}
