import { describe, expect, it } from 'vitest'
import { presetNames } from '#src/config/chain.ts'
import { type Config, parseConfig } from '#src/config/config.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { presets } from './withPresets.ts'

const solver = { address: `0x${'1'.repeat(40)}` }
const rpcUrls = ['https://one.example', 'https://two.example']
const parse = (chains: readonly object[], more: object = {}): Config =>
  parseConfig({ chains, solver, ...more }, 'A configuration')

describe.each(presetNames)('the preset %s', (preset) => {
  it('is a complete chain without endpoints and without our contracts', () => {
    expect(presets[preset].chain).not.toHaveProperty('rpcUrls')
    expect(JSON.stringify(presets[preset])).not.toMatch(/"(contracts|rpcUrls|wsUrl|publicRpcUrl)"/)
    const { chains } = parse([{ preset, rpcUrls }])
    const [chain] = chains
    expect(chain).toMatchObject({ preset, rpcUrls })
    expect(chain?.contracts).toBeUndefined()
    // A rollup has a sequencer, whose feed Chainlink publishes.
    expect(chain?.sequencerFeed !== undefined).toBe(chain?.l1DataFee !== 'none')
  })

  it('bridges currencies with feeds alone, and tracks pools of named pairs alone', () => {
    const { chains, assets } = parse([{ preset, rpcUrls }])
    const [chain] = chains
    const fed = new Set(chain?.priceFeeds.map(({ currency }) => currency))
    expect(fed).toContain(nativeAddress)
    for (const { currencies } of assets)
      for (const { address } of currencies) expect(fed).toContain(address)
    for (const { pairs } of chain?.factories ?? []) {
      const traded = new Set(pairs.flat()).size
      expect(pairs.length).toBe((traded * (traded - 1)) / 2)
      for (const [one, other] of pairs) expect(one).not.toBe(other)
    }
  })

  it('waits longer than a rollup for deposits elsewhere, and at least 24 seconds for a fill', () => {
    const [chain] = parse([{ preset, rpcUrls }]).chains
    const [first] = chain?.depositTiers ?? []
    if (chain?.l1DataFee === 'none') expect(first?.blocks).toBeGreaterThan(1)
    expect((chain?.fillConfirmations ?? 0) * (chain?.blockSeconds ?? 0)).toBeGreaterThanOrEqual(24)
  })

  it('keeps answers of feeds for longer than their heartbeat', () => {
    const [chain] = parse([{ preset, rpcUrls }]).chains
    for (const { maxAgeSeconds, decimals } of chain?.priceFeeds ?? []) {
      expect(maxAgeSeconds).toBeGreaterThanOrEqual(120)
      expect(decimals).toBe(8)
    }
  })
})

it('joins the assets of all presets', () => {
  const { assets } = parse(presetNames.map((preset) => ({ preset, rpcUrls })))
  const held = assets.map(({ symbol, currencies }) => [symbol, currencies.length])
  expect(held).toEqual([
    ['ETH', 6],
    ['BTC', 5],
    ['USDC', 6],
    ['USDT', 6],
    ['DAI', 5],
  ])
})

it('takes every field of the operator in place of its own', () => {
  const priceFeeds = [{ currency: nativeAddress, aggregator: `0x${'2'.repeat(40)}` }]
  const own = { blockSeconds: 3, sequencerFeed: null, priceFeeds, displayName: 'Ours' }
  const { chains, assets } = parse([{ preset: 'base', rpcUrls, ...own }], { assets: [] })
  expect(chains[0]).toMatchObject({ ...own, sequencerFeed: undefined, id: 8453 })
  expect(assets).toEqual([])
})

it('refuses an unknown preset', () => {
  expect(() => parse([{ preset: 'moon', rpcUrls }])).toThrow(
    /chains\.0\.preset: Invalid option: expected one of "ethereum"\|"base"/,
  )
  expect(() => parse([{ preset: 'constructor', rpcUrls }])).toThrow(/chains\.0\.preset/)
})

it('leaves chains without a preset, and values that are no configuration, unchanged', () => {
  expect(() => parseConfig({ chains: [null, 7] }, 'x')).toThrow(/chains\.0: Invalid input/)
  expect(() => parse([null as never, { preset: 'base', rpcUrls }])).toThrow(/chains\.0/)
})
