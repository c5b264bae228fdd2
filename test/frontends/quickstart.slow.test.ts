import type { Browser, Page } from 'puppeteer-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import {
  chromium,
  click,
  fill,
  launchBrowser,
  openTab,
  type TabRecord,
  textOf,
} from '#test/support/clients/page/browser.ts'
import { injectWallet } from '#test/support/clients/page/injectedWallet.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { createBatchingWallet } from '#test/support/wallets/batchingWallet.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'
import { serveReactPage } from './reactProject.ts'

const [block] = codeBlocks('tsx', ['docs/quickstart.md'])
if (block === undefined) throw new Error('docs/quickstart.md has no React file')
const quickstart = block.text

it('is short', () => {
  expect(quickstart.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

describe.skipIf(chromium === undefined)('the React file of docs/quickstart.md', () => {
  let stack: Stack
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>
  let server: Awaited<ReturnType<typeof serveReactPage>>
  let browser: Browser
  beforeAll(async () => {
    ;[stack, browser] = await Promise.all([
      startStack({}, ['gateway', 'tracker', 'solver']),
      launchBrowser(),
    ])
    const { hostname: host, port } = new URL(stack.url)
    proxy = await startTcpProxy({ host, port: Number(port) })
    server = await serveReactPage(
      quickstart
        .replace('http://localhost:4000', `http://127.0.0.1:${proxy.port}`)
        .replace('http://localhost:18545', stack.devnet.description.chains[0]?.rpcUrl ?? ''),
    )
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await proxy?.stop()
    await stack?.stop()
  })

  let tab: Page
  let record: TabRecord
  const open = async (prepare: (tab: Page) => Promise<void> = async () => {}) => {
    record = { errors: [], origins: new Set() }
    tab = await openTab(browser, record)
    await prepare(tab)
    await tab.goto(server.url)
  }
  afterEach(() => tab.close())
  const enterAmount = (amount: string) => fill(tab, 'input', amount)
  const clickSwap = () => click(tab, 'button:not(:disabled)')

  it('swaps with an account of the devnet, and shows the status again after a reload', async () => {
    await open()
    expect(await textOf(tab, '#price')).toMatch(/^29\d\d\.\d+ USDC, at least 29\d\d\.\d+$/)
    await clickSwap()
    const paid = await textOf(tab, '#paid')
    const hash = /^Received 29\d\d\.\d+ USDC: (0x[0-9a-f]{64})$/.exec(paid)?.[1] as `0x${string}`
    const client = createWallet(stack.devnet.description, users[0]).clientOn(990002)
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success')
    await tab.reload()
    expect(await textOf(tab, '#paid')).toBe(paid)
    expect(await textOf(tab, '#status')).toMatch(/^success/)
    expect(record.errors).toEqual([])
  })

  it('swaps with a wallet of the browser', async () => {
    const { chains } = stack.devnet.description
    await open((opened) => injectWallet(opened, users[1].address, chains))
    await enterAmount('0.5')
    await textOf(tab, '#price', /^1[45]\d\d\./)
    await clickSwap()
    await textOf(tab, '#status', /^success/)
    const calls = (await tab.evaluate('walletCalls')) as string[]
    expect(calls.filter((call) => /^(wallet_|eth_request|eth_send)/.test(call))).toEqual([
      'eth_requestAccounts',
      'wallet_switchEthereumChain',
      'wallet_getCapabilities',
      'eth_sendTransaction',
    ])
  })

  it('sends one batch with a wallet that has batches', async () => {
    const client = createWallet(stack.devnet.description, users[2]).clientOn(990001)
    const multicall3 = stack.config.chains.find(({ id }) => id === 990001)?.multicall3 ?? '0x'
    const account = privateKeyToAccount(users[2].privateKey)
    const wallet = createBatchingWallet(account, client, { atomic: 'supported', multicall3 })
    await open(async (opened) => {
      await opened.exposeFunction('walletRequest', (call: { method: string }) =>
        call.method === 'wallet_switchEthereumChain' ? null : wallet.request(call as never),
      )
      await opened.evaluateOnNewDocument(() => {
        const request = Reflect.get(window, 'walletRequest')
        const detail = { provider: { request } }
        window.addEventListener('eip6963:requestProvider', () =>
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
        )
      })
    })
    await enterAmount('0.3')
    await textOf(tab, '#price', /^[89]\d\d\./)
    await clickSwap()
    await textOf(tab, '#paid', /^Received [89]\d\d\.\d+ USDC/)
    expect([...wallet.batches.values()].map(({ isAtomic }) => isAtomic)).toEqual([false])
  })

  it('says that the account holds too little, and sends nothing', async () => {
    const { chains } = stack.devnet.description
    await open((opened) => injectWallet(opened, newAccount(), chains))
    await enterAmount('0.5')
    await textOf(tab, '#price', /^1[45]\d\d\./)
    await clickSwap()
    expect(await textOf(tab, '[role=alert]')).toBe('The account has only 0 ETH.')
  })

  it('shows warnings, asks before it ignores them, and sends nothing if the user declines', async () => {
    await open()
    await enterAmount('0.002')
    // The flat fees of a small swap.
    await textOf(tab, '.warning', /^All fees together are/)
    // A real dialog may still be open when the test ends, and then fails with its page.
    await tab.evaluate(() => {
      window.confirm = (question) => {
        Reflect.set(window, 'question', question)
        return false
      }
    })
    const ask = async () => {
      await clickSwap()
      return tab.evaluate(() => String(Reflect.get(window, 'question')))
    }
    // The fees of so small a swap move by more than the slippage. Then the page asks for another click.
    await expect
      .poll(ask, patience)
      .toMatch(/^All fees together are \$.* of the input’s value\.\nSwap anyway\?$/)
    expect(await tab.$eval('#status', ({ textContent }) => textContent)).toBe('')
  })

  it('says in words why there is no price', async () => {
    await open()
    await enterAmount('1000')
    await textOf(tab, '[role=alert]', /^The solver cannot take the deposit of/)
    expect(await tab.$('button:disabled')).not.toBeNull()
  })

  describe('when the gateway', () => {
    beforeEach(async () => {
      await open()
      await textOf(tab, '#price')
    })
    const seesOutage = async () => {
      await textOf(tab, '[role=alert]', /^The gateway cannot be reached/)
      expect(await tab.$('button:disabled')).not.toBeNull()
    }
    const swapsAgain = async () => {
      await tab.waitForSelector('button:not(:disabled)', patience)
      await enterAmount('0.25')
      await textOf(tab, '#price', /^7\d\d\./)
      await clickSwap()
      await textOf(tab, '#status', /^success/)
    }

    it('is gone, says so, tries without end, and swaps once it is back', async () => {
      const before = proxy.refused()
      proxy.down()
      await seesOutage()
      await expect.poll(() => proxy.refused() - before, patience).toBeGreaterThan(7)
      proxy.up()
      await swapsAgain()
    })

    it('hangs, says so, and swaps once it is back', async () => {
      proxy.hang()
      await seesOutage()
      proxy.heal()
      await swapsAgain()
    })
  })
})
