import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig, readConfig } from './config.ts'

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

it('reads comments, and names the line of a problem after them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'crossquote.json')
  const write = (more: string) =>
    writeFileSync(
      path,
      `// Ours.\n{ "chains": [${JSON.stringify(chain)}], /* the\nsolver */\n"solver": { "address": "${address}"${more} } }`,
    )
  write(' // "allocator": "0x…"\n')
  expect(readConfig(path).solver.address).toBe(address)
  write(', "allocater": "https://rpc.example/a//b"')
  expect(() => readConfig(path)).toThrow('  line 4: solver: Unrecognized key: "allocater"')
})

it('reports a misspelled preset once, and the other problems of its chain', () => {
  const chains = [{ preset: 'etherium', rpcUrls: ['http://127.0.0.1:1'], blockSeconds: 'x' }]
  expect(() => parseConfig({ chains, solver: {} }, 'test')).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: test is not a valid configuration:
      chains.0.preset: Invalid option: expected one of "ethereum"|"base"|"arbitrum"|"optimism"|"polygon"|"bnb"
      chains.0.blockSeconds: Invalid input: expected number, received string
      solver.address: Invalid input: expected string, received undefined]
  `)
})

it('applies the defaults', () => {
  const { chains, feeSchedule } = parseConfig({ chains: [chain], solver: { address } }, 'test')
  expect(chains[0]).toMatchObject({ l1DataFee: 'none', blockSeconds: 12, disabled: false })
  expect(feeSchedule).toEqual({ flat: 20_000n, sameAsset: 0n, stable: 1n, major: 6n, other: 15n })
})

it('sets the maximum age of a market to five blocks, and at least 15 s', () => {
  const ageOf = (given: object) =>
    parseConfig({ chains: [{ ...chain, ...given }], solver: { address } }, 'test').chains[0]
      ?.maxMarketAgeSeconds
  expect(ageOf({})).toBe(60)
  expect(ageOf({ blockSeconds: 0.25 })).toBe(15)
  expect(ageOf({ blockSeconds: 0.25, maxMarketAgeSeconds: 5 })).toBe(5)
})

it('takes token lists by path and by https URL alone', () => {
  const parse = (tokenList: unknown) =>
    parseConfig({ chains: [chain], solver: { address }, tokenList }, 'test').tokenList
  expect(parse(['tokens.json', 'https://lists.example/a.json'])).toHaveLength(2)
  for (const place of ['http://lists.example/a.json', 'ipfs://a', 'https://'])
    expect(() => parse(place)).toThrow('tokenList: must be a path or an https URL')
})

it('takes endpoints with or without their limits, and names the field of a wrong one', () => {
  const parse = (urls: unknown, sendUrls?: unknown) =>
    parseConfig({ chains: [{ ...chain, rpcUrls: urls, sendUrls }], solver: { address } }, 'test')
      .chains[0]
  const [one, two, three] = ['one', 'two', 'three'].map((name) => `https://${name}.example/key`)
  const limits = { requestsPerSecond: 25, maxInFlight: 8, maxLogBlocks: 2_000 }
  const parsed = parse([one, { url: two, ...limits }], [two, { url: three, maxInFlight: 1 }])
  expect(parsed).toMatchObject({ rpcUrls: [one, two], sendUrls: [two, three] })
  expect([...(parsed?.rpcLimits ?? [])]).toEqual(
    expect.arrayContaining([
      [one, {}],
      [two, limits],
      [three, { maxInFlight: 1 }],
    ]),
  )
  const wrong = [
    { url: 'ws://here', requestsPerSecond: -1 },
    { url: one, maxInFlight: 1.5, batch: 3 },
    { requestsPerSecond: '25' },
    7,
    one,
    { url: one },
  ]
  expect(() => parse(wrong, [])).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: test is not a valid configuration:
      chains.0.rpcUrls.0.url: Invalid URL
      chains.0.rpcUrls.0.requestsPerSecond: Too small: expected number to be >=0.1
      chains.0.rpcUrls.1.maxInFlight: Invalid input: expected int, received number
      chains.0.rpcUrls.1: Unrecognized key: "batch"
      chains.0.rpcUrls.2.url: Invalid input: expected string, received undefined
      chains.0.rpcUrls.2.requestsPerSecond: Invalid input: expected number, received string
      chains.0.rpcUrls.3: Invalid input: expected object, received number
      chains.0.sendUrls: Too small: expected array to have >=1 items]
  `)
})

it('accepts chains without endpoints if no node is asked, and names the field otherwise', () => {
  const { rpcUrls: _, ...bare } = chain
  const parse = (given: object, canLackEndpoints?: boolean) =>
    parseConfig(
      { chains: [chain, { ...bare, id: 2, ...given }], solver: { address } },
      'test',
      canLackEndpoints === undefined ? {} : { canLackEndpoints },
    ).chains[1]
  expect(parse({}, true)).toMatchObject({ rpcUrls: [], sendUrls: undefined })
  const urls = { sendUrls: ['http://127.0.0.1:8545'], wsUrl: 'ws://127.0.0.1:8545' }
  const problems = [() => parse({}), () => parse({}, false), () => parse(urls, true)].map((run) => {
    try {
      return run()
    } catch (error) {
      return (error as Error).message
    }
  })
  expect(problems.join('\n')).toMatchInlineSnapshot(`
    "test is not a valid configuration:
      chains.1.rpcUrls: is missing: only a process with ROLES=gateway and MARKET_SOURCE=feed can do without endpoints
    test is not a valid configuration:
      chains.1.rpcUrls: is missing: only a process with ROLES=gateway and MARKET_SOURCE=feed can do without endpoints
    test is not a valid configuration:
      chains.1.sendUrls: needs rpcUrls
      chains.1.wsUrl: needs rpcUrls"
  `)
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

it('takes bounds of whole factories on a chain with a feed alone', () => {
  const parse = (changes: object) =>
    parseConfig({ chains: [{ ...chain, ...changes }], solver: { address } }, 'test').chains[0]
  expect(parse({})).toMatchObject({ minPoolUsd: 0n })
  expect(parse({ minPoolUsd: '2500.5', maxPools: 5_000 })).toMatchObject({
    minPoolUsd: 2_500_500_000n,
    maxPools: 5_000,
  })
  const [factory] = chain.factories
  const bounds = { minPoolUsd: '1', maxPools: 1 }
  const problems = [
    { minPoolUsd: 2500, maxPools: 0 },
    { ...bounds, priceFeeds: [], allowPoolPrices: true },
    { ...bounds, factories: [{ ...factory, pairs: [[address, address]] }] },
  ].map((changes) => {
    try {
      return parse(changes)
    } catch (error) {
      return (error as Error).message
    }
  })
  expect(problems.join('\n')).toMatchInlineSnapshot(`
    "test is not a valid configuration:
      chains.0.minPoolUsd: Invalid input: expected string, received number
      chains.0.maxPools: Too small: expected number to be >=1
    test is not a valid configuration:
      chains.0.minPoolUsd: counts the depth of pools in currencies with a feed, and priceFeeds has none
      chains.0.maxPools: counts the depth of pools in currencies with a feed, and priceFeeds has none
    test is not a valid configuration:
      chains.0.minPoolUsd: bounds the pools of whole factories, and each factory has pairs
      chains.0.maxPools: bounds the pools of whole factories, and each factory has pairs"
  `)
})

it('names the file, the line and the field of a problem', () => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  const path = join(directory, 'crossquote.json')
  const problemOf = (text: string): string => {
    writeFileSync(path, text)
    try {
      readConfig(path)
      return 'none'
    } catch (error) {
      return (error as Error).message.replaceAll(directory, '<directory>')
    }
  }
  const solver = { address }
  const valid = JSON.stringify({ chains: [chain], solver }, null, 2)
  expect(problemOf(valid)).toBe('none')
  const misspelt = valid
    .replace('"symbol"', '"symbl"')
    .replace(`"address": "${address}"`, '"address": 7')
  const problems = [
    '',
    '{\n  "chains": [',
    '{\n  "chains": [],\n}',
    valid.replace('},', '}'),
    misspelt,
  ]
  expect(problems.map(problemOf).join('\n')).toMatchInlineSnapshot(`
    "<directory>/crossquote.json, line 1, is not JSON: the file is empty
    <directory>/crossquote.json, line 2, is not JSON: close bracket expected
    <directory>/crossquote.json, line 3, is not JSON: property name expected
    <directory>/crossquote.json, line 14, is not JSON: comma expected
    <directory>/crossquote.json is not a valid configuration:
      line 10: chains.0.nativeCurrency.symbol: Invalid input: expected string, received undefined
      line 11: chains.0.nativeCurrency: Unrecognized key: "symbl"
      line 31: solver.address: Invalid input: expected string, received number"
  `)
  rmSync(path)
  expect(() => readConfig(path)).toThrow(`${path} cannot be read: there is no such file`)
  expect(() => readConfig(directory)).toThrow(`${directory} cannot be read: it is a directory`)
  rmSync(directory, { recursive: true })
})
