import type { Page } from 'puppeteer-core'

/** What the page asks a wallet. Only a switch of the chain is read here. */
type Call = Readonly<{ method: string; params?: readonly Readonly<{ chainId?: string }>[] }>

type Chain = Readonly<{ id: number; rpcUrl: string }>

/** A wallet as EIP-6963 announces it, which sends what it is asked to. `walletCalls` of the page lists its methods. */
export async function injectWallet(
  tab: Page,
  address: string,
  chains: readonly Chain[],
): Promise<void> {
  await tab.evaluateOnNewDocument(
    (account: string, nodes: readonly Chain[]) => {
      const calls: string[] = []
      let node = nodes[0]
      const request = async ({ method, params = [] }: Call) => {
        calls.push(method)
        if (method === 'eth_requestAccounts') return [account]
        if (method === 'wallet_switchEthereumChain') {
          node = nodes.find(({ id }) => id === Number(params[0]?.chainId))
          return null
        }
        const response = await fetch(node?.rpcUrl ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
        return (await response.json()).result
      }
      const info = { uuid: 'test-wallet', name: 'Test wallet', icon: 'data:,', rdns: 'org.example' }
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', { detail: { info, provider: { request } } }),
        )
      window.addEventListener('eip6963:requestProvider', announce)
      Object.assign(window, { walletCalls: calls })
    },
    address,
    chains.map(({ id, rpcUrl }) => ({ id, rpcUrl })),
  )
}
