import { expect, it } from 'vitest'
import { refuseCurrency } from '#src/core/pricing/checkOrder.ts'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()
const named = { side: 'origin', field: 'originCurrency' } as const

/** The devnet's list with changed entries. */
const listWith = (changes: Readonly<Record<string, Partial<Currency>>>): readonly Currency[] =>
  rig.chain.listed.map((each) => ({ ...each, ...changes[each.symbol] }))

function listed(symbol: string): Currency {
  const currency = rig.chain.listed.find((each) => each.symbol === symbol)
  if (currency === undefined) throw new Error(`${symbol} is not listed`)
  return currency
}

it('refuses a currency whose list has other decimals: 0.000000001 DAI paid out 999.56 DAI', async () => {
  const { market, chainId, lines } = rig.start({}, { listed: listWith({ DAI: { decimals: 6 } }) })
  await market.ready()
  const dai = listed('DAI')
  expect(market.currencies.known(dai)?.decimals).toBe(18)
  expect(market.currencies.known(dai)?.metadata.verified).toBe(false)
  expect(() => refuseCurrency(market.snapshot([chainId]), dai, named)).toThrow(
    expect.objectContaining({
      code: 'UNSUPPORTED_CURRENCY',
      message: expect.stringMatching(/6.*18/),
    }),
  )
  const pools = market.latest(chainId)?.graph.pools ?? []
  expect(pools.some((pool) => [pool.currency0, pool.currency1].includes(dai.address))).toBe(false)
  expect(market.currencies.known(listed('USDC'))).toEqual(listed('USDC'))
  expect(lines.filter(({ level }) => level >= 50)).toEqual([
    expect.objectContaining({ currency: dai.address, expected: 6, found: 18 }),
  ])
})

it('refuses a native currency with other decimals than the contract that wraps it', async () => {
  const nativeCurrency = { symbol: 'ETH', name: 'Ether', decimals: 6 }
  const { market, chainId } = rig.start({ nativeCurrency })
  await market.ready()
  expect(market.latest(chainId)?.refusedCurrencies.get(nativeAddress)).toBe(
    'the configuration has 6 decimals, the contract 18',
  )
})

it('only warns of other symbols and names, and of addresses without a currency', async () => {
  const nowhere = toAddress(`0x${'1'.repeat(40)}`)
  const list = listWith({ USDC: { symbol: 'USD', name: 'Dollar' }, DAI: { address: nowhere } })
  const { market, lines, chainId } = rig.start({}, { listed: list })
  await market.ready()
  expect(market.currencies.known(listed('USDC'))).toMatchObject({ symbol: 'USD', name: 'Dollar' })
  expect(market.currencies.known({ chainId, address: nowhere })).toBeUndefined()
  expect(lines.filter(({ level }) => level >= 40)).toMatchObject([
    { currencies: [nowhere] },
    { contracts: [{ address: listed('USDC').address, symbol: 'USDC' }] },
  ])
})

it('knows a listed currency only once its contract has answered', async () => {
  rig.proxy.behave('cut')
  const { market, atHead } = rig.start()
  expect(market.currencies.known(listed('USDC'))).toBeUndefined()
  rig.proxy.behave('pass')
  await market.ready()
  await atHead()
  expect(market.currencies.known(listed('USDC'))).toEqual(listed('USDC'))
})
