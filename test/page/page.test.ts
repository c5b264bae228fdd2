import type { Page } from 'puppeteer-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { refuseFirst } from '#test/support/clients/busyGateway.ts'
import { chromium, click, fill, textOf } from '#test/support/clients/page/browser.ts'
import {
  chooseWallet,
  injectWallet,
  type Signer,
} from '#test/support/clients/page/injectedWallet.ts'
import {
  curveNotes,
  cutAmounts,
  lowContrastTexts,
  namelessControls,
  tabThrough,
} from '#test/support/clients/page/pageChecks.ts'
import {
  actBeforeQuote,
  clickSwap,
  etherSwap,
  hashesOn,
  type Place,
  type SwapPage,
  startSwapPages,
  turnClock,
  waitForLowerOutput,
} from '#test/support/clients/page/swapPage.ts'
import { mineExpensiveBlock } from '#test/support/gateways/expensiveBlock.ts'
import { createGaslessUser, type GaslessUser } from '#test/support/gateways/gaslessUser.ts'
import type { Stack } from '#test/support/gateways/stack.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const toTrade = `query ($input: QuoteInput!) {
  quote(input: $input) { steps { items { data { to data value chainId maxFeePerGas maxPriorityFeePerGas } } } }
}`
type Traded = { quote: { steps: Parameters<Wallet['execute']>[0] } }

const [ethereum, rollup] = [990001, 990002]

describe.skipIf(chromium === undefined)(
  `the page at / (in ${chromium ?? 'no browser: install Chromium, or set CHROMIUM_PATH'})`,
  () => {
    let stack: Stack
    let pages: Awaited<ReturnType<typeof startSwapPages>>
    beforeAll(async () => {
      pages = await startSwapPages()
      ;({ stack } = pages)
    })
    afterAll(() => pages?.stop())

    const open = (...page: SwapPage) => pages.open(...page)
    const clientOn = (chainId: number) =>
      createWallet(stack.devnet.description, users[0]).clientOn(chainId)

    it('swaps on one chain with an account of the devnet', async () => {
      const tab = await open([ethereum, 'ETH'], [ethereum, 'USDC'], '0.5')
      await clickSwap(tab)
      expect(await textOf(tab, '.outcome', /Completed/)).toBe('Completed The recipient is paid.')
      const [hash] = await hashesOn(tab)
      const receipt = await clientOn(ethereum).getTransactionReceipt({ hash: hash ?? '0x' })
      expect(receipt.from).toBe(users[0].address)
      expect(await textOf(tab, '.progress .chain')).toContain(`block ${receipt.blockNumber}`)
      expect(await textOf(tab, '.progress .chain')).toMatch(/\d confirmations?/)
      await textOf(tab, '.history', /0\.5 ETH to .* USDC.*Completed/)
      await tab.close()
    })

    it('swaps across chains with a wallet: an approval, the deposit, and the fill', async () => {
      const { chains } = stack.devnet.description
      const tab = await open([ethereum, 'USDC'], [rollup, 'ETH'], '300', {
        prepare: (tab) => injectWallet(tab, users[1].address, chains),
      })
      await chooseWallet(tab)
      await textOf(tab, '#account option:checked', /0x7099/)
      await clickSwap(tab)
      await textOf(tab, '.outcome', /Completed/)
      const hashes = await hashesOn(tab)
      expect(hashes).toHaveLength(3)
      const fill = await clientOn(rollup).getTransactionReceipt({ hash: hashes[2] ?? '0x' })
      expect(fill.status).toBe('success')
      expect(await tab.evaluate('walletCalls')).toEqual([
        'eth_requestAccounts',
        ...[1, 2].flatMap(() => [
          'wallet_switchEthereumChain',
          'eth_estimateGas',
          'eth_sendTransaction',
        ]),
      ])
      await tab.close()
    })

    describe('for a user without native currency', () => {
      let user: GaslessUser
      beforeAll(async () => {
        const holdings = { USDC: 500_000_000n, DAI: 500n * 10n ** 18n, USDT: 500_000_000n }
        user = await createGaslessUser(stack, ethereum, holdings)
      })
      /** Slippage in percent. The price has the gas of its block: until the quote it may cost a fifth more. */
      const dearerGas = '10'
      const sign: Signer = (data) => user.account.signTypedData(data)
      const openWallet = async (from: Place, to: Place, signer = (_: Page) => sign) => {
        const { chains } = stack.devnet.description
        const tab = await open(from, to, '50', {
          prepare: (tab) => injectWallet(tab, user.account.address, chains, signer(tab)),
        })
        await chooseWallet(tab)
        return tab
      }
      const choose = async (tab: Page, slippage?: string) => {
        if (slippage !== undefined) await click(tab, '.options summary')
        if (slippage !== undefined) await fill(tab, '#slippage', slippage)
        await click(tab, '#gasless')
        await textOf(tab, '.costs', /Gas of deposit and payment/)
      }

      it.each([
        ['USDC', 1],
        ['DAI', 2],
      ])('pays the network fee in %s, by %i signatures', async (symbol, signatures) => {
        const held = await user.balanceOf(symbol)
        const tab = await openWallet([ethereum, symbol], [rollup, 'USDC'])
        expect(await textOf(tab, '.gasless label')).toBe(`Pay the network fee in ${symbol}`)
        expect(await textOf(tab, '#gasless-note')).toBe('You only sign, and need no ETH.')
        await choose(tab, dearerGas)
        await clickSwap(tab)
        await textOf(tab, '.outcome', /Completed/)
        expect(await hashesOn(tab)).toHaveLength(2)
        expect(await tab.evaluate('walletCalls')).toEqual([
          'eth_requestAccounts',
          ...Array(signatures).fill(['wallet_switchEthereumChain', 'eth_signTypedData_v4']).flat(),
        ])
        const decimals = symbol === 'DAI' ? 18n : 6n
        expect(held - (await user.balanceOf(symbol))).toBe(50n * 10n ** decimals)
        expect(await user.client.getBalance({ address: user.account.address })).toBe(0n)
        expect(await namelessControls(tab)).toEqual([])
        await tab.close()
      })

      it('tells in words why a signature is not taken, and asks for a new quote', async () => {
        const other = privateKeyToAccount(users[2].privateKey)
        const answers: ((tab: Page) => Signer)[] = [
          () => async () => ({ code: 4001 }),
          () => async () => ({ code: 4200 }),
          () => (data) => other.signTypedData(data),
          (tab) => async (data) => {
            await turnClock(tab, 601)
            return sign(data)
          },
          (tab) => async (data) => {
            await turnClock(tab, 0)
            return sign(data)
          },
        ]
        const tab = await openWallet([ethereum, 'USDC'], [rollup, 'USDC'], (tab) => {
          const signers = answers.map((answer) => answer(tab)).values()
          return (data) => (signers.next().value ?? sign)(data)
        })
        await choose(tab, dearerGas)
        const failure = (words: RegExp) => textOf(tab, '.primary ~ .failure', words)
        for (const words of [
          /^You declined in the wallet/,
          /^This account cannot sign/,
          /^The signature was not accepted.*signs for 0x.*swap again/,
          /^You signed after the end of the quote\. Nothing was paid/,
        ]) {
          await clickSwap(tab)
          expect(await failure(words)).toMatch(words)
          expect(await tab.$('.request')).toBeNull()
        }
        await clickSwap(tab)
        await textOf(tab, '.outcome', /Completed/)
        await tab.close()
      })

      it('asks to look again where a block has just made gas dearer than the slippage allows', async () => {
        const tab = await openWallet([ethereum, 'USDC'], [rollup, 'USDC'])
        await choose(tab)
        await stack.devnet.suspendMining(ethereum, async () => {
          const shown = Number(await textOf(tab, '#get'))
          await actBeforeQuote(tab, () => mineExpensiveBlock(stack, ethereum))
          await clickSwap(tab)
          expect(await textOf(tab, '.primary ~ .failure')).toMatch(/^The price has just moved/)
          expect(await tab.$('.request')).toBeNull()
          // No other block comes between the new price and its quote.
          await waitForLowerOutput(tab, shown - 2)
          await clickSwap(tab)
          await tab.waitForSelector('.request')
        })
        await textOf(tab, '.outcome', /Completed/)
        await tab.close()
      })

      it.each([
        ['that needs an approval', 'USDT', [rollup, 'USDC']],
        ['on one chain', 'USDC', [ethereum, 'DAI']],
      ] as const)('is not offered a payment %s', async (_, symbol, to) => {
        const tab = await openWallet([ethereum, symbol], to)
        await textOf(tab, '.route')
        expect(await tab.$('#gasless')).toBeNull()
        await tab.close()
      })
    })

    it('shows a refund', async () => {
      const tab = await open([ethereum, 'ETH'], [rollup, 'USDC'], '0.1')
      await click(tab, '.options summary')
      await click(tab, '.options input[type=checkbox]')
      await clickSwap(tab)
      expect(await textOf(tab, '.outcome', /Refunded/)).toContain('The deposit is back.')
      await textOf(tab, '.progress', /The solver returns the deposit/)
      await tab.close()
    })

    it('shows each change of the price, and the block that made it', async () => {
      const tab = await open([ethereum, 'ETH'], [ethereum, 'USDC'], '1')
      const before = await textOf(tab, '#get')
      const input = etherSwap(stack, ethereum, 50n, 'USDC')
      const { data } = await stack.query<Traded, object>(toTrade, { input })
      const rival = createWallet(stack.devnet.description, users[2])
      const [receipt] = await rival.execute(data?.quote.steps ?? [])
      const after = await textOf(tab, '#get', new RegExp(`^(?!${before.replace('.', '\\.')}$).+`))
      const amount = (text: string) => Number(text.replace(',', ''))
      expect(amount(after)).toBeLessThan(amount(before))
      const [, block] = /block (\d+)/.exec(await textOf(tab, '.live .blocks')) ?? []
      expect(Number(block)).toBeGreaterThanOrEqual(Number(receipt?.blockNumber))
      await tab.close()
    })

    it('tells what is wrong in words', async () => {
      const tab = await open([ethereum, 'ETH'], [ethereum, 'FERN'], '1')
      const refused = await textOf(tab, '.order [role=alert]')
      const { errors } = await stack.query(
        'query ($input: PriceInput!) { price(input: $input) { details { rate } } }',
        { input: etherSwap(stack, ethereum, 1n, 'FERN') },
      )
      expect(refused).toBe(errors?.[0]?.message.replace(`chain ${ethereum}`, 'Devnet Ethereum'))
      expect(refused).toMatch(/FERN/)
      await fill(tab, '#pay', 'one')
      expect(await textOf(tab, '.order [role=alert]', /^Type/)).toBe(
        'Type an amount such as 0.5, with a point and at most 18 decimals of ETH.',
      )
      await tab.close()
    })

    it('reads the balance again when the page comes into view', async () => {
      const tab = await open([rollup, 'ETH'], [ethereum, 'USDC'], '1')
      await textOf(tab, 'span', /^\s*Balance /)
      const { address } = privateKeyToAccount(users[0].privateKey)
      const client = clientOn(rollup)
      const before = await client.getBalance({ address })
      await client.setBalance({ address, value: 12_345n * 10n ** 18n })
      // The gateway answers with the balance at the newest block that it knows.
      await tab.waitForFunction(
        () => {
          document.dispatchEvent(new Event('visibilitychange'))
          return document.querySelector('main')?.textContent?.includes('Balance 12,345')
        },
        { polling: 200 },
      )
      await client.setBalance({ address, value: before })
      await tab.close()
    })

    it('marks the recipient as the wrong field', async () => {
      const tab = await open([ethereum, 'ETH'], [rollup, 'USDC'], '1')
      await click(tab, '.options summary')
      await fill(tab, '#recipient', '0x12')
      await tab.waitForSelector('#recipient[aria-invalid=true][aria-describedby=order-failure]')
      await fill(tab, '#recipient', '')
      await tab.waitForSelector('#recipient:not([aria-invalid])')
      await tab.close()
    })

    it('asks again for whatever a busy gateway refused, and the swap completes', async () => {
      const tab = await open([ethereum, 'ETH'], [rollup, 'USDC'], '0.5', { prepare: refuseFirst })
      await clickSwap(tab)
      await textOf(tab, '.outcome', /Completed/)
      expect(await tab.$$('p.failure')).toEqual([])
      const refused = ['Chains', 'Currency', 'LivePrice', 'Quote', 'Index', 'Follow', 'Requests']
      expect(await tab.evaluate('refusedOperations')).toEqual(expect.arrayContaining(refused))
      await tab.close()
    })

    it('can be used with the keyboard alone', async () => {
      const tab = await open([ethereum, 'ETH'], [rollup, 'USDC'], '1')
      await textOf(tab, '.route')
      expect(await tabThrough(tab)).toEqual({ reached: expect.any(Number), unseen: [] })
      await tab.focus('.field:nth-of-type(1) .currency')
      await tab.keyboard.press('Enter')
      await textOf(tab, '.currencies')
      expect(await namelessControls(tab)).toEqual([])
      expect(await textOf(tab, '.currencies .balance')).toMatch(/^\d/)
      await tab.keyboard.type('wrapped btc')
      await tab.waitForFunction(() => document.querySelectorAll('.currencies li').length === 1)
      await tab.keyboard.press('Enter')
      await textOf(tab, '.currency b', /WBTC/)
      expect(await tab.$('.request')).toBeNull()
      expect(await tab.evaluate(() => document.activeElement?.className)).toBe('currency')
      await textOf(tab, '.route', /1 WBTC/)
      await tab.close()
    })

    it('says that there is no curve only once it knows', async () => {
      const tab = await open([ethereum, 'ETH'], [rollup, 'USDC'], '1')
      expect(await curveNotes(tab)).toEqual([''])
      await tab.close()
    })

    it.each(['light', 'dark'] as const)('can be read on a small %s screen', async (scheme) => {
      const look = { scheme, width: 360 }
      const tab = await open([ethereum, 'USDC'], [rollup, 'ETH'], '2997.313111', look)
      await Promise.all([textOf(tab, '.curve caption'), textOf(tab, '.gasless')])
      // Figures of an earlier input are muted until the next price.
      await tab.waitForFunction(() => document.querySelector('.old') === null)
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      expect([await namelessControls(tab), await cutAmounts(tab)]).toEqual([[], []])
      expect(await lowContrastTexts(tab)).toEqual([])
      // Amounts in large digits.
      for (const [amount, route] of [
        ['2997.3', /2,997\.3 USDC/],
        ['2997.31', /2,997\.31 USDC/],
      ] as const) {
        await fill(tab, '#pay', amount)
        await textOf(tab, '.route', route)
        expect(await cutAmounts(tab)).toEqual([])
      }
      await tab.close()
    })

    it('asked nobody but the gateway and the devnet, and had no errors', () => {
      const { record } = pages
      const allowed = [stack.url, ...stack.devnet.description.chains.map(({ rpcUrl }) => rpcUrl)]
      expect([...record.origins].filter((origin) => !allowed.includes(origin))).toEqual([])
      expect(record.origins.has(stack.url)).toBe(true)
      expect(record.errors).toEqual([])
    })
  },
)
