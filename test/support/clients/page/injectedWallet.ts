import type { Page } from 'puppeteer-core'
import type { Hex, TypedDataDefinition } from 'viem'
import { patience } from '#test/support/patience.ts'

/** A request of the page to a wallet. */
type Call = Readonly<{ method: string; params?: readonly unknown[] }>

type Chain = Readonly<{ id: number; rpcUrl: string }>

/** Signs typed data, or refuses with an error code of EIP-1193. */
export type Signer = (typedData: TypedDataDefinition) => Promise<Hex | Readonly<{ code: number }>>

type Signing = { signTypedData?: (typedData: string) => ReturnType<Signer> }

/**
 * A wallet that EIP-6963 announces. It sends every transaction of the page, and signs typed data with `signer`, but
 * only on the chain of the data. `walletCalls` of the page lists its methods.
 */
export async function injectWallet(
  tab: Page,
  address: string,
  chains: readonly Chain[],
  signer?: Signer,
): Promise<void> {
  if (signer !== undefined)
    await tab.exposeFunction('signTypedData', (text: string) => signer(JSON.parse(text)))
  await tab.evaluateOnNewDocument(
    (account: string, nodes: readonly Chain[]) => {
      const calls: string[] = []
      let node = nodes[0]
      const request = async ({ method, params = [] }: Call) => {
        calls.push(method)
        if (method === 'eth_requestAccounts') return [account]
        if (method === 'wallet_switchEthereumChain') {
          const [{ chainId }] = params as [{ chainId: string }]
          node = nodes.find(({ id }) => id === Number(chainId))
          return null
        }
        if (method === 'eth_signTypedData_v4') {
          const [by, text] = params as [string, string]
          const { domain } = JSON.parse(text)
          if (by !== account || domain.chainId !== node?.id)
            throw new Error('The wallet is on another chain or account')
          const signed = await (window as Signing).signTypedData?.(text)
          if (typeof signed !== 'string') throw signed
          return signed
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

/** Chooses the wallet as the paying account when the page has found it. */
export async function chooseWallet(tab: Page): Promise<void> {
  await tab.waitForSelector('#account option[value="wallet:test-wallet"]', patience)
  await tab.select('#account', 'wallet:test-wallet')
}
