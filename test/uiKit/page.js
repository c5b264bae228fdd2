import { queryRelayChains, useRequests } from '@relayprotocol/relay-kit-hooks'
import { RelayKitProvider, SwapWidget } from '@relayprotocol/relay-kit-ui'
import { adaptViemWallet } from '@relayprotocol/relay-sdk'
import { configureViemChain } from '@relayprotocol/relay-sdk/chain-utils'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as element, Fragment, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createWalletClient, custom } from 'viem'
import { createConfig, http, WagmiProvider } from 'wagmi'
import '@relayprotocol/relay-kit-ui/styles.css'
import { createWalletProvider } from './walletProvider.js'

const gateway = import.meta.env.VITE_GATEWAY

/** The third account of every anvil node, which it signs for. The devnet gives it every currency. */
const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const { chains } = await queryRelayChains(gateway)
const relayChains = chains.map((chain) => configureViemChain(chain))
const viemChains = relayChains.map(({ viemChain }) => viemChain)

const wagmi = createConfig({
  chains: viemChains,
  transports: Object.fromEntries(viemChains.map(({ id }) => [id, http()])),
})
const wallet = adaptViemWallet(
  createWalletClient({
    account,
    chain: viemChains[0],
    transport: custom(createWalletProvider(account, chains)),
  }),
)

const tokenOf = ({ id: chainId, featuredTokens: [{ metadata, ...token }] }) => ({
  ...token,
  ...{ chainId, logoURI: metadata.logoURI, verified: true },
})

function Widget() {
  const [fromToken, setFromToken] = useState(tokenOf(chains[0]))
  const [toToken, setToToken] = useState()
  const [error, setError] = useState()
  const widget = element(SwapWidget, {
    ...{ fromToken, setFromToken, toToken, setToToken, wallet },
    supportedWalletVMs: ['evm'],
    onConnectWallet: () => {},
    onSwapError: setError,
  })
  return element(Fragment, null, widget, error && element('p', { role: 'alert' }, error))
}

/** The kit has no list of past requests: this one uses its hook. */
function History() {
  const { data, refetch } = useRequests({ user: account, limit: 5 }, gateway)
  return element(
    'section',
    { id: 'history' },
    element('h2', null, 'History'),
    element('button', { type: 'button', onClick: () => refetch() }, 'Refresh'),
    element(
      'ul',
      null,
      data.map((request) => element(Past, { key: request.id, request })),
    ),
  )
}

function Past({ request: { status, createdAt, data } }) {
  const { currencyIn, currencyOut } = data.metadata
  const ends = [...data.inTxs, ...data.outTxs].map(({ timestamp }) => timestamp)
  const worth = ({ amountFormatted, amountUsd, currency }) =>
    `${amountFormatted} ${currency.symbol} ($${amountUsd})`
  const seconds = Math.max(...ends) - Math.min(...ends)
  const fees = Object.values(data.feesUsd).reduce((sum, part) => sum + Number(part) / 1e6, 0)
  const text = `${createdAt}: ${worth(currencyIn)} to ${worth(currencyOut)}, ${status} in ${seconds} s, fees $${fees.toFixed(6)}`
  return element('li', null, text)
}

const options = {
  appName: 'crossquote',
  baseApiUrl: gateway,
  chains: relayChains,
  source: 'crossquote-widget',
  websocket: { enabled: true, url: `${gateway.replace(/^http/, 'ws')}/ws` },
}

const App = () =>
  element(
    RelayKitProvider,
    { options },
    element(
      WagmiProvider,
      { config: wagmi },
      element(
        QueryClientProvider,
        { client: new QueryClient() },
        element(
          'main',
          { style: { maxWidth: 480, margin: '16px auto', fontFamily: 'sans-serif' } },
          element(Widget),
          element(History),
        ),
      ),
    ),
  )

createRoot(document.getElementById('root')).render(element(App))
