import { expect, it } from 'vitest'
import { refuseCurrency } from '#src/pricing/refuseCurrency.ts'
import type { Currency } from '#src/units/currency.ts'
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

it.fails('refuses a currency whose list has other decimals: 0.000000001 DAI paid out 999.56 DAI', async () => {
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
    expect.objectContaining({ currency: dai.address, listed: 6, found: 18 }),
  ])
})
