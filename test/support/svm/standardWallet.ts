import type { Page } from 'puppeteer-core'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'

/** What the page calls of the wallet. */
type Signing = { signSvmMessage?: (message: number[]) => Promise<number[]> }

/**
 * A wallet of the Wallet Standard that signs for one account. `standardCalls` of the page lists its calls, each with the
 * cluster that the page names.
 */
export async function injectStandardWallet(
  tab: Page,
  { pubkey, sign }: SvmSigner,
  feature: 'solana:signTransaction' | 'solana:signAndSendTransaction' = 'solana:signTransaction',
): Promise<void> {
  await tab.exposeFunction('signSvmMessage', async (message: number[]) => [
    ...(await sign(Uint8Array.from(message))),
  ])
  await tab.evaluateOnNewDocument(
    (address: string, name: string) => {
      const calls: string[] = []
      const account = { address, chains: ['solana:mainnet'], features: [name] }
      /** The payer signs alone: one signature is before the message. */
      const sign = async (transaction: Uint8Array) => {
        const message = [...transaction.slice(65)]
        const signature = await (window as Signing).signSvmMessage?.(message)
        return Uint8Array.from([1, ...(signature ?? []), ...message])
      }
      const connect = async () => {
        calls.push('connect')
        return { accounts: [account] }
      }
      const signTransaction = async (input: { transaction: Uint8Array; chain: string }) => {
        calls.push(`signTransaction ${input.chain}`)
        return [{ signedTransaction: await sign(input.transaction) }]
      }
      const signAndSendTransaction = async () => {
        throw new Error('This wallet knows no cluster')
      }
      const signing =
        name === 'solana:signTransaction' ? { signTransaction } : { signAndSendTransaction }
      type Changed = (change: object) => void
      const listeners = new Set<Changed>()
      const on = (_: 'change', listener: Changed) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }
      const switchStandardAccount = (to: string | undefined) => {
        const accounts = to === undefined ? [] : [{ ...account, address: to }]
        for (const listener of listeners) listener({ accounts })
      }
      const wallet = {
        version: '1.0.0',
        name: 'Standard wallet',
        icon: 'data:,',
        chains: ['solana:mainnet'],
        accounts: [],
        features: {
          'standard:connect': { connect },
          'standard:events': { on },
          [name]: signing,
        },
      }
      type Register = { register: (...wallets: object[]) => void }
      const announce = ({ register }: Register) => register(wallet)
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }))
      window.addEventListener('wallet-standard:app-ready', (event) =>
        announce((event as CustomEvent<Register>).detail),
      )
      Object.assign(window, { standardCalls: calls, switchStandardAccount })
    },
    pubkey,
    feature,
  )
}

/** Chooses the wallet when the page has found it. `menu`: `account` pays, `other-account` is paid. */
export async function chooseStandardWallet(tab: Page, menu: string): Promise<void> {
  await tab.waitForSelector(`#${menu} option[value="wallet:standard-1"]`)
  await tab.select(`#${menu}`, 'wallet:standard-1')
  await tab.waitForFunction('standardCalls.length > 0')
}
