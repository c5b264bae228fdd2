import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stringToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainConfig, ConfigInput } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { configOf } from '#src/devnet/describeDevnet.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { startServices } from '#src/system/services.ts'
import { type MarketChain, startMarketChain } from '#test/support/chains/marketChain.ts'
import { sequencerFeedAddress, setSequencer } from '#test/support/chains/sequencerFeed.ts'
import { changeResult, type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { checkChain } from './checkChain.ts'
import { refuseWrongFacts } from './checkConfig.ts'
import type { ChainReport } from './fact.ts'

const [, rollupPlan] = chainPlans
let rollup: MarketChain
let proxy: RpcProxy
/** The chain as it is, with a feed of its sequencer. */
let right: ChainConfig
beforeAll(async () => {
  rollup = await startMarketChain(rollupPlan, [])
  proxy = await startRpcProxy(rollup.rpcUrl)
  await setSequencer(rollup.anvil, { answer: 0n, startedAt: 1n })
  await rollup.anvil.mine({ blocks: 1 })
  const sequencerFeed = { address: sequencerFeedAddress }
  const [chain] = rollup.configure({ rpcUrls: [proxy.url], sequencerFeed }).chains
  if (chain === undefined) throw new Error('No chain is configured')
  right = chain
})
beforeEach(() => proxy.behave('pass'))
afterAll(() => Promise.all([rollup.stop(), proxy.stop()]))

const clock = { log: silentLog, now: Date.now }
const check = (change: Partial<ChainConfig> = {}, seconds = 60): Promise<ChainReport> =>
  checkChain(clock, { ...right, ...change }, seconds)

const namesOf = ({ facts }: ChainReport, state: string): readonly string[] =>
  facts.filter((each) => each.state === state).map(({ name }) => name)

/** The wrong facts, which the start names as well. */
async function wrongWith(change: Partial<ChainConfig>): Promise<readonly string[]> {
  const wrong = namesOf(await check(change), 'wrong')
  const deps = { ...clock, silent: silentLog }
  const config = { ...rollup.configure(), chains: [{ ...right, ...change }] }
  const refusal = await refuseWrongFacts(deps, config, 60).then(
    () => '',
    (error: Error) => error.message,
  )
  for (const name of wrong) expect(refusal).toContain(`Devnet Rollup (990002): ${name}: found `)
  return wrong
}

const [feed, ...otherFeeds] = [0, 1, 2].map((at) => () => {
  const found = right.priceFeeds[at]
  if (found === undefined) throw new Error('The chain has no such feed')
  return found
})
const firstFeed = (change: Partial<ChainConfig['priceFeeds'][number]>) => ({
  priceFeeds: [
    { ...feed?.(), ...change } as ChainConfig['priceFeeds'][number],
    ...otherFeeds.map((each) => each()),
  ],
})

describe('the facts of a chain', () => {
  it('are all right if the configuration fits, after four requests for each endpoint', async () => {
    const before = proxy.calls.length
    const { facts, outage } = await check()
    expect(outage).toBeUndefined()
    expect(facts.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(facts.length).toBeGreaterThan(30)
    const asked = proxy.calls.slice(before).map(({ method }) => method)
    expect(asked.toSorted()).toEqual([
      ...['eth_call', 'eth_call', 'eth_chainId', 'eth_chainId', 'eth_getBlockByNumber'],
    ])
  })

  it('name the endpoint of another chain', async () => {
    proxy.behave(changeResult('eth_chainId', () => '0x1'))
    expect(await wrongWith({})).toEqual(['rpcUrls.0 chain id'])
    proxy.behave('pass')
    const other = await startRpcProxy(rollup.rpcUrl)
    other.behave(changeResult('eth_chainId', () => '0x1'))
    expect(await wrongWith({ rpcUrls: [proxy.url, other.url] })).toEqual(['rpcUrls.1 chain id'])
    expect(await wrongWith({ sendUrls: [other.url] })).toEqual(['sendUrls.0 chain id'])
    await other.stop()
  })

  it('name each contract without code', async () => {
    const nobody = newAccount()
    const { contracts } = right
    if (contracts === undefined) throw new Error('The chain has no contracts')
    const factory = right.factories[0]
    if (factory === undefined) throw new Error('The chain has no factory')
    const changes: readonly [string, Partial<ChainConfig>][] = [
      ['multicall3 code', { multicall3: nobody }],
      ['wrappedNative code', { wrappedNative: nobody }],
      ['factories.0 (uniswap-v2) code', { factories: [{ ...factory, factory: nobody }] }],
      ['priceFeeds.0 code', firstFeed({ aggregator: nobody })],
      ['sequencerFeed code', { sequencerFeed: { address: nobody, graceSeconds: 1 } }],
      ['contracts.approvalProxy code', { contracts: { ...contracts, approvalProxy: nobody } }],
      [
        'contracts.depositAddressFactory code',
        { contracts: { ...contracts, depositAddressFactory: nobody } },
      ],
    ]
    for (const [name, change] of changes) expect(await wrongWith(change)).toEqual([name])
    // The values that another contract points to are wrong as well.
    expect(await wrongWith({ contracts: { ...contracts, router: nobody } })).toEqual([
      ...['contracts.router code', 'contracts.approvalProxy router'],
    ])
    expect(await wrongWith({ contracts: { ...contracts, depository: nobody } })).toEqual([
      ...['contracts.depository code', 'contracts.router depository'],
    ])
  })

  it('name the wrapped native currency of another kind', async () => {
    const nativeCurrency = { ...right.nativeCurrency, decimals: 6 }
    expect(await wrongWith({ nativeCurrency })).toEqual(['wrappedNative decimals'])
    expect(await wrongWith({ wrappedSymbol: ['WBNB'] })).toEqual(['wrappedNative symbol'])
    expect(await wrongWith({ wrappedSymbol: ['WPOL', 'WETH'] })).toEqual([])
  })

  it('name a factory of another kind', async () => {
    const [v2, v3] = right.factories
    if (v2?.kind !== 'constantProduct' || v3?.kind !== 'concentrated')
      throw new Error('The chain has other factories')
    const swapped = [
      { ...v2, factory: v3.factory },
      { ...v3, factory: v2.factory },
    ]
    expect(await wrongWith({ factories: swapped })).toEqual([
      'factories.0 (uniswap-v2) allPairsLength',
      'factories.1 (uniswap-v3) feeAmountTickSpacing',
    ])
  })

  it('name a router that does not know the pools of a factory', async () => {
    const { contracts, factories } = right
    const [v2] = factories
    if (contracts === undefined || v2 === undefined) throw new Error('The chain has no contracts')
    const solidly = { ...v2, kind: 'solidly', source: 'aerodrome' } as (typeof factories)[number]
    const wrongOf = (change: Partial<ChainConfig>) =>
      wrongWith({ factories: [...factories, solidly], ...change })
    // The factory is another one, but the router knows its kind.
    const ofFactory = await wrongOf({})
    expect(ofFactory).toHaveLength(1)
    expect(ofFactory[0]).toMatch(/^factories.2 /)
    const older = { contracts: { ...contracts, router: contracts.depository } }
    expect(await wrongOf(older)).toContain('contracts.router hopFlags')
    expect(await wrongOf({ ...older, factories })).not.toContain('contracts.router hopFlags')
  })

  it('name a feed of another kind, decimals or pair', async () => {
    expect(await wrongWith(firstFeed({ decimals: 18 }))).toEqual(['priceFeeds.0 decimals'])
    expect(await wrongWith(firstFeed({ description: ['BTC / USD'] }))).toEqual([
      'priceFeeds.0 description',
    ])
    expect(await wrongWith(firstFeed({ decimals: 8, description: ['eth/usd'] }))).toEqual([])
    expect(await wrongWith(firstFeed({ aggregator: right.wrappedNative }))).toEqual([
      'priceFeeds.0 latestRoundData',
    ])
    // A feed that is not in US dollars. Slot 0 holds the description with twice its length.
    const aggregator = feed?.().aggregator ?? right.wrappedNative
    const setDescription = async (text: string) => {
      const word = `${stringToHex(text, { size: 31 })}${(2 * text.length).toString(16)}` as const
      const value = word.padEnd(66, '0') as `0x${string}`
      await rollup.anvil.setStorageAt({ address: aggregator, index: 0, value })
      await rollup.anvil.mine({ blocks: 1 })
    }
    await setDescription('ETH / BTC')
    expect(await wrongWith({})).toEqual(['priceFeeds.0 description'])
    await setDescription('ETH / USD')
    expect(await wrongWith({})).toEqual([])
  })

  it('name a sequencer feed that is another kind of feed', async () => {
    const address = feed?.().aggregator ?? right.wrappedNative
    expect(await wrongWith({ sequencerFeed: { address, graceSeconds: 1 } })).toEqual([
      'sequencerFeed latestRoundData',
    ])
    await setSequencer(rollup.anvil, { answer: 1n, startedAt: 1n })
    await rollup.anvil.mine({ blocks: 1 })
    expect(await wrongWith({})).toEqual([])
  })

  it('name an L1 data fee that the chain does not have', async () => {
    expect(await wrongWith({ l1DataFee: 'arbitrum' })).toEqual(['l1DataFee'])
  })
})

describe('an outage is no mismatch', () => {
  it.each(['cut', 'hang'] as const)('if the endpoints %s', async (behaviour) => {
    proxy.behave(behaviour)
    const rpcUrls = [`${proxy.url}/v2/0123456789abcdef`]
    const report = await check({ rpcUrls }, 0.3)
    expect(report.outage).toContain(`${proxy.url}/…: `)
    expect(namesOf(report, 'wrong')).toEqual([])
    expect(namesOf(report, 'notChecked')).toHaveLength(report.facts.length)
    expect(JSON.stringify(report.facts)).not.toContain('0123456789abcdef')
  })

  it('if the first endpoint is away, and another one answers', async () => {
    const { facts } = await check({
      rpcUrls: ['http://127.0.0.1:1/v2/0123456789abcdef', proxy.url],
    })
    const others = facts.filter(({ state }) => state !== 'ok')
    expect(others).toMatchObject([{ name: 'rpcUrls.0 chain id', state: 'notChecked' }])
    expect(JSON.stringify(facts)).not.toContain('0123456789abcdef')
  })

  it('if the node is far behind its chain', async () => {
    const now = () => Date.now() + 3 * 3_600_000
    const { facts } = await checkChain(
      { ...clock, now },
      { ...right, multicall3: newAccount() },
      60,
    )
    expect(namesOf({ ...right, chain: right, facts, outage: undefined }, 'wrong')).toEqual([])
    expect(facts.find(({ name }) => name === 'multicall3 code')?.found).toMatch(/^the newest block/)
  })
})

describe('an operator', () => {
  const directory = mkdtempSync(join(tmpdir(), 'check-'))
  const path = join(directory, 'crossquote.json')
  afterAll(() => rmSync(directory, { recursive: true }))

  /** Writes a configuration of the chain with changes. */
  function writeConfig(change: Partial<ConfigInput['chains'][number]>): void {
    const running = { ...rollup.deployed, rpcUrl: proxy.url, wsUrl: proxy.wsUrl, blockSeconds: 1 }
    const { tokenList: _, ...config } = configOf([running], '')
    const chains = config.chains.map(({ wsUrl: __, ...each }) => ({ ...each, ...change }))
    writeFileSync(path, JSON.stringify({ ...config, chains }))
  }
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, ['src/cli/config/config.ts', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin' },
    })
    const [code, out, errors] = await Promise.all([
      once(child, 'close').then(([each]) => each),
      ...[text(child.stdout), text(child.stderr)],
    ])
    return { code, out, errors }
  }

  it('sees a table of all facts, and the exit code 1 for a wrong one, 2 for an outage', async () => {
    writeConfig({})
    const right = await run('check', '--config', path)
    expect(right).toMatchObject({ code: 0, errors: '' })
    expect(right.out).toMatch(/^Devnet Rollup {2}wrappedNative symbol +ok +WETH +any$/m)
    expect(right.out).toMatch(/^\d+ ok, 0 wrong, 0 warnings, 0 not checked$/m)
    writeConfig({ wrappedSymbol: 'WBNB' })
    const wrong = await run('check', '--config', path)
    expect(wrong.code).toBe(1)
    expect(wrong.out).toMatch(/^Devnet Rollup {2}wrappedNative symbol +WRONG +WETH +WBNB$/m)
    proxy.behave('cut')
    const away = await run('check', '--config', path)
    expect(away.code).toBe(2)
    const rows = (away.out ?? '').split('\n').filter((line) => line.startsWith('Devnet Rollup'))
    expect(rows).toEqual([expect.stringMatching(/^Devnet Rollup {2}\d\d facts +not checked +http/)])
    expect(away.errors).toMatch(/^Devnet Rollup: http:\/\/127\.0\.0\.1:\d+: .+\n$/)
  })

  it('sees the usage of the command', async () => {
    expect(await run('verify', '--config', path)).toEqual({
      code: 1,
      out: '',
      errors: 'Usage: npm run config -- check|show [--config <file>]\n',
    })
  })

  it('gets no gateway with a wrong fact, and one with endpoints that are away', async () => {
    const data = await makeStoreDirectory()
    const environment = readEnvironment({
      ...devnetKeys,
      PORT: '0',
      CONFIG: path,
      DATA_DIRECTORY: data,
    })
    writeConfig({ wrappedSymbol: 'WBNB' })
    await expect(
      startServices(environment, silentLog, 60),
    ).rejects.toThrowErrorMatchingInlineSnapshot(`
      [WrongFactsError: The configuration does not fit its chains:
        Devnet Rollup (990002): wrappedNative symbol: found WETH, expected WBNB
      \`npm run config -- check\` lists all facts.]
    `)
    proxy.behave('cut')
    const services = await startServices(environment, silentLog)
    await services.stop()
    rmSync(data, { recursive: true })
  })
})
