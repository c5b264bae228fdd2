import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import { users } from '#src/devnet/accounts.ts'
import { svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import { chromium, click, fill, textOf } from '#test/support/clients/page/browser.ts'
import {
  cutAmounts,
  lowContrastTexts,
  namelessControls,
} from '#test/support/clients/page/pageChecks.ts'
import { clickSwap, hashesOn, startSwapPages } from '#test/support/clients/page/swapPage.ts'
import { chooseStandardWallet, injectStandardWallet } from '#test/support/svm/standardWallet.ts'
import { createSvmDevnetClient, svmBalanceOf } from '#test/support/svm/svmWallet.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'

const [ethereum, rollup, solana] = [990001, 990002, 990004] as const
const [first, second, third] = svmUsers
if (first === undefined || second === undefined || third === undefined)
  throw new Error('The devnet has users')

describe.skipIf(chromium === undefined)(
  `the page with a Solana chain (in ${chromium ?? 'no browser: install Chromium, or set CHROMIUM_PATH'})`,
  () => {
    let pages: Awaited<ReturnType<typeof startSwapPages>>
    let client: SvmClient
    beforeAll(async () => {
      pages = await startSwapPages(true)
      const { svmChain } = pages.stack.devnet.description
      if (svmChain === undefined) throw new Error('The devnet has no Solana chain')
      client = createSvmDevnetClient(svmChain)
    })
    afterAll(async () => {
      client?.close()
      await pages?.stop()
    })
    const balanceOf = (symbol: string, owner: Pubkey) =>
      svmBalanceOf(client, toPubkey(pages.stack.currencyOn(solana, symbol)), owner)

    it('pays with an account of the devnet, to the other account of the devnet', async () => {
      const tab = await pages.open([solana, 'SOL'], [ethereum, 'ETH'], '2')
      await textOf(tab, '#account option:checked', /Devnet account 1: /)
      await textOf(tab, '#other-account option:checked', /Devnet account 1: 0xf39f/)
      await clickSwap(tab)
      expect(await textOf(tab, '.outcome', /Completed/)).toBe('Completed The recipient is paid.')
      const [deposit = '', fill = ''] = await hashesOn(tab)
      const [status] = await client.getStatuses([deposit as SvmSignature])
      expect(status?.error).toBeUndefined()
      const evm = createWallet(pages.stack.devnet.description, users[0]).clientOn(ethereum)
      expect((await evm.getTransactionReceipt({ hash: fill as `0x${string}` })).status).toBe(
        'success',
      )
      await textOf(tab, '.history', /2 SOL to .* ETH.*Completed/)
      await tab.close()
    })

    it('pays with a wallet of the Wallet Standard', async () => {
      const tab = await pages.open([solana, 'USDC'], [rollup, 'USDC'], '25', {
        prepare: (tab) => injectStandardWallet(tab, second),
      })
      await chooseStandardWallet(tab, 'account')
      const before = await balanceOf('USDC', second.pubkey)
      await clickSwap(tab)
      await textOf(tab, '.outcome', /Completed/)
      expect(before - (await balanceOf('USDC', second.pubkey))).toBe(25_000_000n)
      expect(await tab.evaluate('standardCalls')).toEqual([
        'connect',
        'signTransaction solana:localnet',
      ])
      await tab.close()
    })

    it('follows the wallet to another account, and forgets it once the wallet disconnects', async () => {
      const tab = await pages.open([solana, 'USDC'], [rollup, 'USDC'], '25', {
        prepare: (tab) => injectStandardWallet(tab, second),
      })
      await chooseStandardWallet(tab, 'account')
      const chosen = '#account option:checked'
      await textOf(tab, chosen, new RegExp(second.pubkey.slice(0, 4)))
      await tab.evaluate(`switchStandardAccount('${third.pubkey}')`)
      await textOf(tab, chosen, new RegExp(third.pubkey.slice(0, 4)))
      await tab.evaluate('switchStandardAccount()')
      await textOf(tab, chosen, /Choose an account/)
      await tab.close()
    })

    it('pays to the wallet, and to a recipient in base58', async () => {
      const tab = await pages.open([rollup, 'USDC'], [solana, 'USDC'], '30', {
        prepare: (tab) => injectStandardWallet(tab, second),
      })
      await chooseStandardWallet(tab, 'other-account')
      for (const { pubkey, isTyped } of [
        { pubkey: second.pubkey, isTyped: false },
        { pubkey: third.pubkey, isTyped: true },
      ]) {
        if (isTyped) await click(tab, '.options summary')
        if (isTyped) await fill(tab, '#recipient', pubkey)
        const before = await balanceOf('USDC', pubkey)
        await clickSwap(tab)
        await tab.waitForSelector('.request')
        await textOf(tab, '.outcome', /Completed/)
        expect(await balanceOf('USDC', pubkey)).toBeGreaterThan(before + 29_000_000n)
        await click(tab, '.request .quiet', /Close/)
      }
      await tab.close()
    })

    it('shows a refund', async () => {
      const tab = await pages.open([solana, 'SOL'], [rollup, 'USDC'], '1')
      await click(tab, '.options summary')
      await click(tab, '.options input[type=checkbox]')
      await clickSwap(tab)
      expect(await textOf(tab, '.outcome', /Refunded/)).toContain('The deposit is back.')
      await textOf(tab, '.received', /Returned.* SOL.*on Devnet Solana/)
      await tab.close()
    })

    it('says that a wallet without signatures cannot send on this chain', async () => {
      const tab = await pages.open([solana, 'SOL'], [ethereum, 'ETH'], '1', {
        prepare: (tab) => injectStandardWallet(tab, second, 'solana:signAndSendTransaction'),
      })
      await chooseStandardWallet(tab, 'account')
      await clickSwap(tab)
      expect(await textOf(tab, '.primary ~ .failure')).toBe(
        'Standard wallet cannot send on Devnet Solana',
      )
      await tab.close()
    })

    it('offers the currencies of the chain, with the balances of its account', async () => {
      const tab = await pages.open([ethereum, 'ETH'], [rollup, 'USDC'], '1')
      await textOf(tab, '.route')
      await click(tab, '.currency', /USDC/)
      await click(tab, '.chips label', /Devnet Solana/)
      await textOf(tab, '.currencies li', /USDC.*\d/)
      await click(tab, '.currencies button', /SOL/)
      await textOf(tab, '.route', /You get on Devnet Solana/)
      const checked = (menu: string) => `${menu} option:checked`
      await textOf(tab, checked('#other-account'), new RegExp(`: ${first.pubkey.slice(0, 6)}`))
      expect(
        await tab.$$eval('.account label', (all) => all.map((each) => each.textContent)),
      ).toEqual(['Pay from', 'Receive at'])
      await click(tab, '.turn')
      await textOf(tab, checked('#account'), new RegExp(`: ${first.pubkey.slice(0, 6)}`))
      await textOf(tab, checked('#other-account'), /: 0xf39f/)
      await tab.close()
    })

    it.each([
      { scheme: 'light', width: 1280 },
      { scheme: 'dark', width: 1280 },
      { scheme: 'light', width: 390 },
      { scheme: 'dark', width: 390 },
    ] as const)('can be read: $scheme, $width px', async (look) => {
      const tab = await pages.open([ethereum, 'USDC'], [solana, 'SOL'], '2997.31', look)
      await Promise.all([textOf(tab, '.route'), textOf(tab, '.costs')])
      await tab.waitForFunction(() => document.querySelector('.old') === null)
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
      expect([await namelessControls(tab), await cutAmounts(tab)]).toEqual([[], []])
      expect(await lowContrastTexts(tab)).toEqual([])
      await tab.close()
    })

    it('asked nobody but the gateway and the devnet, and had no errors', () => {
      const { record, stack } = pages
      const { chains, svmChain } = stack.devnet.description
      const nodes = [...chains, ...(svmChain === undefined ? [] : [svmChain])]
      const allowed = [stack.url, ...nodes.map(({ rpcUrl }) => rpcUrl)]
      expect([...record.origins].filter((origin) => !allowed.includes(origin))).toEqual([])
      expect(record.errors).toEqual([])
    })
  },
)
