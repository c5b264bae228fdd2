import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Config } from '#src/config/config.ts'
import { evmAddress, toAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { type MarketChain, startMarketChain } from '#test/support/chains/marketChain.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { checkConfig } from './checkConfig.ts'

let chain: MarketChain
beforeAll(async () => {
  chain = await startMarketChain(chainPlans[0], [])
})
afterAll(() => chain.stop())

/** The facts about currencies, without those of the chain. */
async function factsOf(listed: readonly Currency[], assets: Config['assets'] = []) {
  const deps = { log: silentLog, now: Date.now }
  const [report] = await checkConfig(deps, { ...chain.configure(), assets }, 60, listed)
  return report?.facts.filter(({ name }) => /^(tokenList|assets)/.test(name)) ?? []
}

function listed(symbol: string): Currency {
  const currency = chain.listed.find((each) => each.symbol === symbol)
  if (currency === undefined) throw new Error(`${symbol} is not listed`)
  return currency
}

it('names a listed currency with other decimals than its contract as wrong', async () => {
  const [dai, usdc] = [listed('DAI'), listed('USDC')]
  expect(await factsOf([{ ...dai, decimals: 6 }, usdc])).toEqual([
    { name: `tokenList DAI ${dai.address} decimals`, state: 'wrong', found: '18', expected: '6' },
    { name: 'tokenList', state: 'ok', found: '1 currencies fit', expected: 'decimals' },
  ])
})

it('warns of other texts and of addresses without a currency', async () => {
  const [dai, usdc] = [listed('DAI'), listed('USDC')]
  const nowhere = { ...usdc, address: toAddress(`0x${'1'.repeat(40)}`) }
  const facts = await factsOf([{ ...dai, name: 'Other' }, nowhere])
  expect(facts.map(({ state, expected }) => [state, expected])).toEqual([
    ['warning', 'DAI (Other)'],
    ['warning', '6'],
  ])
})

it('requires that the currencies of assets can be read', async () => {
  const { chainId } = listed('USDC')
  const address = toAddress(`0x${'1'.repeat(40)}`)
  const currencies = [
    { chainId, address },
    { chainId, address: evmAddress(listed('USDC').address) },
  ]
  const facts = await factsOf(
    [],
    [{ symbol: 'USDC', class: 'stable', currencies, pegTolerance: toBps(100n) }],
  )
  expect(facts.map(({ state, found }) => [state, found])).toEqual([
    ['wrong', 'no currency'],
    ['ok', '6'],
  ])
})
