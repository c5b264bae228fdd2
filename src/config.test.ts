import { expect, it } from 'vitest'
import { parseConfig } from './config.ts'

const address = `0x${'1'.repeat(40)}`

const chain = {
  id: 1,
  name: 'ethereum',
  displayName: 'Ethereum',
  rpcUrls: ['http://127.0.0.1:8545'],
  nativeCurrency: { symbol: 'ETH', name: 'Ether' },
  wrappedNative: address,
  factories: [{ kind: 'concentrated', source: 'uniswap-v3', factory: address }],
  priceFeeds: [{ currency: address, aggregator: address }],
}

it('applies the defaults', () => {
  const { chains, feeSchedule } = parseConfig({ chains: [chain], solver: { address } }, 'test')
  expect(chains[0]).toMatchObject({ l1DataFee: 'none', blockSeconds: 12, disabled: false })
  expect(feeSchedule).toEqual({ flat: 20_000n, sameAsset: 0n, stable: 1n, major: 6n, other: 15n })
})

it('lists every problem of a configuration', () => {
  const bitcoin = { chainId: 1, address }
  const wrong = {
    chains: [chain, { ...chain, rpcUrls: ['ftp://nowhere'], blockSecond: 12 }],
    solver: { address: '0x12' },
    assets: [
      { symbol: 'BTC', class: 'major', currencies: [bitcoin, bitcoin, { ...bitcoin, chainId: 2 }] },
    ],
  }
  expect(() => parseConfig(wrong, 'wrong.json')).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: wrong.json is not a valid configuration:
      chains.1.rpcUrls.0: Invalid URL
      chains.1: Unrecognized key: "blockSecond"
      solver.address: An address is 0x and 40 hexadecimal digits]
  `)
  const valid = { ...wrong, chains: [chain, chain], solver: { address } }
  expect(() => parseConfig(valid, 'wrong.json')).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: wrong.json is not a valid configuration:
      chains.1.id: chain 1 is configured twice
      assets.0.currencies.1.chainId: BTC has two currencies on chain 1; an asset has at most one per chain
      assets.0.currencies.2.chainId: chain 2 is not configured]
  `)
})

it('requires a feed for native and bridged currencies, unless pools may price them', () => {
  const bridged = `0x${'2'.repeat(40)}`
  const config = {
    chains: [{ ...chain, priceFeeds: [] }],
    solver: { address },
    assets: [
      { symbol: 'ETH', class: 'major', currencies: [{ chainId: 1, address }] },
      { symbol: 'USDC', class: 'stable', currencies: [{ chainId: 1, address: bridged }] },
    ],
  }
  expect(() => parseConfig(config, 'wrong.json')).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: wrong.json is not a valid configuration:
      chains.0.priceFeeds: the native currency has no feed: add one, or set allowPoolPrices
      chains.0.priceFeeds: USDC (0x2222222222222222222222222222222222222222) is bridged and has no feed: add one, or set allowPoolPrices]
  `)
  const chains = [{ ...chain, priceFeeds: [], allowPoolPrices: true }]
  expect(parseConfig({ ...config, chains }, 'test').chains[0]?.allowPoolPrices).toBe(true)
})
