import type { Page } from 'puppeteer-core'
import type { Hex, TypedDataDefinition } from 'viem'
import { patience } from '#test/support/patience.ts'

/** What the page asks a wallet. */
type Call = Readonly<{ method: string; params?: readonly unknown[] }>

type Chain = Readonly<{ id: number; rpcUrl: string }>

/** Signs typed data. A code of an error refuses, as EIP-1193 has it. */
export type Signer = (typedData: TypedDataDefinition) => Promise<Hex | Readonly<{ code: number }>>

type Signing = { signTypedData?: (typedData: string) => ReturnType<Signer> }

/**
 * A wallet as EIP-6963 announces it, which sends what it is asked to, and signs typed data with `signer`, on the chain of
 * the data alone. `walletCalls` of the page lists its methods.
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

/** Chooses the wallet as the account that pays, once the page has found it. */
export async function chooseWallet(tab: Page): Promise<void> {
  await tab.waitForSelector('#account option[value="wallet:test-wallet"]', patience)
  await tab.select('#account', 'wallet:test-wallet')
}
