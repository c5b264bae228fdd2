/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { Chosen } from '#src/page/state/chosen.js' */
/** @import { Options } from '#src/page/state/order.js' */
import { html } from 'htm/preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { shortHash } from '#src/page/amounts/amounts.js'
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
  const { account } = accounts
  const heads = useHeads(chains)
  const { origin, destination } = chosen
  const supportsPermit = useSupportsPermit(origin, heads[origin.chainId])
  // On one chain there is no solver that would pay the gas.
  const offersGasless =
    supportsPermit && account !== undefined && origin.chainId !== destination.chainId
  const gasless = options.gasless && offersGasless
  const { input: typed, fault } = useMemo(
    () => orderOf(chosen, { ...options, gasless }, account),
    [chosen, options, gasless, account],
  )
  const input = useDebounced(typed, typingMs)
  const isConnected = useConnection()
  const live = useLivePrice(input, isConnected)
  const points = useCurve(input, live)
  const { swap, start, status, failure, requestId, showRequest } = useSwap(chains)
  const balance = useBalance(origin, account?.address, status?.seq, heads[origin.chainId])
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
      <${AccountMenu} ...${accounts} />
    </header>
    <main>
      <${SwapForm}
        chains=${chains}
        chosen=${chosen}
        options=${options}
        input=${input}
        account=${account}
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

/** Whether the gateway is connected: what is shown is old while it is not. */
function useConnection() {
  const [isConnected, setConnected] = useState(true)
  useEffect(() => watchConnection(setConnected), [])
  return isConnected
}

/**
 * The choice of the account: those of the devnet, and the wallets of the browser.
 * @param {ReturnType<typeof useAccounts>} props
 */
function AccountMenu({ wallets, accounts, account, failure, setAccount, connect }) {
  const onChange = (/** @type {any} */ { target }) => {
    const wallet = wallets.find(({ id }) => `wallet:${id}` === target.value)
    if (wallet !== undefined) return void connect(wallet)
    setAccount(accounts.find(({ key }) => key === target.value))
  }
  const hasNone = wallets.length + accounts.length === 0

  return html`<div class="account">
    <label class="unseen" for="account">Account</label>
    <select id="account" value=${account?.key ?? ''} onChange=${onChange} disabled=${hasNone}>
      ${account === undefined && html`<option value="">${hasNone ? 'No wallet in this browser' : 'Choose an account'}</option>`}
      ${accounts.map(({ key, label, address }) => html`<option key=${key} value=${key}>${label}: ${shortHash(address)}</option>`)}
      ${wallets.map(
        ({ id, name }) => html`<option key=${id} value="wallet:${id}">
          ${name}${account?.key === `wallet:${id}` ? `: ${shortHash(account.address)}` : ''}
        </option>`,
      )}
    </select>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
  </div>`
}
