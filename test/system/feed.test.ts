import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConfigInput } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { executeCall, figureOf, readiness } from '#test/support/clients/gatewayRequests.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  type CrossquoteProcess,
  spawnCrossquote,
} from '#test/support/processes/crossquoteProcess.ts'
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
} from '#test/support/processes/redisServer.ts'
import { createPostgresHome, serverUrl } from '#test/support/store/storeHome.ts'

const undo: (() => Promise<unknown> | unknown)[] = []
/** Each check takes a price of every process. Blocks come each second. */
const patience = { timeout: waitLimitMs, interval: 200 }
const [origin, destination] = [990001, 990002] as const

const priceQuery = `query OutputOf($input: PriceInput!) {
  price(input: $input) {
    details {
      currencyOut { amount minimumAmount }
      route {
        origin { outputCurrency { amount } includedSwapSources }
        destination { outputCurrency { amount } includedSwapSources }
      }
    }
    fees { gas { amount } relayer { amount } }
    blocks { chainId number hash }
  }
}`

type Priced = Readonly<{
  price: Readonly<{
    details: object
    fees: object
    blocks: readonly Readonly<{ chainId: number; number: string; hash: string }>[]
  }>
}>

/** A swap on both chains, so that the pools of both count. */
let input: object
const symbols = ['ACORN', 'BIRCH'] as const

const noEndpoint = /This service has no RPC endpoint of Devnet \w+, which it would have to ask/
/** A client that may have calls sent for it. */
const sponsor = { name: 'shop', key: 'the key of a shop', sponsors: true }
const relayer = { address: `0x${'ea7'.padStart(40, '0')}` }

/** Fields that need a node: the balance of the user, the allowance of a quote, and a token without a pool. */
const nodeQuery = `query NeedsNode(
  $input: PriceInput!, $quote: QuoteInput!, $signed: QuoteInput!, $ofNative: QuoteInput!, $other: PriceInput!
) {
  price(input: $input) { details { userBalance } }
  quote(input: $quote) { steps { id } }
  signed: quote(input: $signed) { steps { id } }
  ofNative: quote(input: $ofNative) { steps { name items { data { gas } } } }
  other: price(input: $other) { details { rate } }
}`

const ask = (url: string) => createGraphqlClient(url).query<Priced, object>(priceQuery, { input })

/** The price of a gateway; throws what it answers instead. */
async function priceAt(url: string): Promise<Priced['price']> {
  const { data, errors } = await ask(url)
  if (data == null) throw new Error(JSON.stringify(errors))
  return data.price
}

/** The heights of both chains at which a gateway answers prices. */
const heightsAt = async (url: string): Promise<readonly number[]> =>
  (await priceAt(url)).blocks.map(({ number }) => Number(number))

describe.skipIf(serverUrl === undefined || !hasRedisServer)(
  'three gateways on one feed (TEST_DATABASE_URL, and redis-server in the path)',
  () => {
    let redis: RedisServer
    let proxies: readonly RpcProxy[]
    let feeds: readonly Readonly<{ process: CrossquoteProcess; url: string }>[]
    let urls: readonly string[]
    /** Runs a process with a configuration that has no endpoints. */
    let startBare: (own: Readonly<Record<string, string>>) => CrossquoteProcess

    beforeAll(async () => {
      const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
      undo.push(() => rmSync(directory, { recursive: true, force: true }))
      const devnet: Devnet = await startDevnet({
        log: createLog('silent'),
        directory,
        firstPort: 0,
        traffic: true,
      })
      undo.push(devnet.stop)
      const currencyAt = (at: 0 | 1) =>
        devnet.description.chains[at]?.currencies.find(({ symbol }) => symbol === symbols[at])
          ?.address
      input = {
        user: users[0].address,
        amount: `${10n ** 21n}`,
        tradeType: 'EXACT_INPUT',
        originChainId: origin,
        originCurrency: currencyAt(0),
        destinationChainId: destination,
        destinationCurrency: currencyAt(1),
      }
      redis = await startRedisServer()
      undo.push(redis.stop)
      const home = await createPostgresHome()
      undo.push(home.remove)
      const path = join(directory, 'devnetConfig.json')
      const whole = JSON.parse(readFileSync(path, 'utf8')) as ConfigInput
      const kept = whole.chains.filter(({ id }) => id === origin || id === destination)
      const config = {
        ...whole,
        chains: kept,
        assets: whole.assets?.map((asset) => ({
          ...asset,
          currencies: asset.currencies.filter(({ chainId }) =>
            kept.some(({ id }) => id === chainId),
          ),
        })),
      }
      const ownPath = join(directory, 'ownConfig.json')
      writeFileSync(ownPath, JSON.stringify(config))
      proxies = await Promise.all(
        devnet.description.chains.slice(0, 2).map(({ rpcUrl }) => startRpcProxy(rpcUrl)),
      )
      undo.push(...proxies.map((proxy) => proxy.stop))
      const chains = kept.map((chain, at) => ({
        ...chain,
        rpcUrls: [proxies[at]?.url],
        wsUrl: proxies[at]?.wsUrl,
      }))
      const countedPath = join(directory, 'countedConfig.json')
      writeFileSync(countedPath, JSON.stringify({ ...config, chains }))
      const barePath = join(directory, 'bareConfig.json')
      const bare = config.chains.map(({ rpcUrls: _, wsUrl: __, ...chain }) => chain)
      writeFileSync(
        barePath,
        JSON.stringify({ ...config, relayer, apiKeys: [sponsor], chains: bare }),
      )
      const shared = {
        DATABASE_URL: home.where.databaseUrl ?? '',
        REDIS_URL: redis.url,
        FEED_SECRET: 'a secret of at least 32 characters',
      }
      const start = (own: Readonly<Record<string, string>>) => {
        const started = spawnCrossquote({ ...shared, ...own })
        undo.push(started.kill)
        return started
      }
      startBare = (own) => start({ ...own, CONFIG: barePath })
      // The first one answers prices from the market that it has read itself, which the gateways are compared with.
      const leader = start({ ROLES: 'feed,gateway', CONFIG: ownPath })
      await vi.waitUntil(
        async () => (await figureOf(await leader.url(), 'crossquote_leads', 'feed')) === 2,
        patience,
      )
      const gateway = { ROLES: 'gateway', MARKET_SOURCE: 'feed', CONFIG: countedPath }
      const others = [
        start({ ROLES: 'feed', CONFIG: ownPath }),
        ...[1, 2].map(() => start(gateway)),
        startBare({ ROLES: 'gateway', MARKET_SOURCE: 'feed' }),
      ]
      urls = await Promise.all(others.map((each) => each.url()))
      feeds = [
        { process: leader, url: await leader.url() },
        { process: others[0] as CrossquoteProcess, url: urls[0] ?? '' },
      ]
      for (const url of urls)
        await vi.waitUntil(async () => (await readiness(url)).status === 200, patience)
      urls = urls.slice(1)
    })
    afterAll(async () => {
      for (const each of undo.splice(0).reverse()) await each()
    })

    const calls = () => proxies.reduce((sum, proxy) => sum + proxy.calls.length, 0)
    const sockets = () => proxies.reduce((sum, proxy) => sum + proxy.sockets.size, 0)

    /** Waits until all gateways are `count` blocks of each chain past the current ones of the first gateway. */
    const passBlocks = async (count: number) => {
      const [url = ''] = urls
      const before = await heightsAt(url)
      const isPast = (heights: readonly number[]) =>
        heights.every((height, at) => height >= (before[at] ?? 0) + count)
      await vi.waitUntil(
        async () => (await Promise.all(urls.map(heightsAt))).every(isPast),
        patience,
      )
    }

    it('answer the same prices as the feed’s own market at the same blocks, without an RPC call', async () => {
      // The RPC calls of the start are complete once two blocks come without a call.
      await vi.waitUntil(async () => {
        const before = calls()
        await passBlocks(2)
        return calls() === before
      }, patience)
      const before = calls()
      // A gateway that starts between two snapshots has missed messages.
      const refused = () =>
        Promise.all(urls.map((url) => figureOf(url, 'crossquote_feed_refused_total')))
      const refusedBefore = await refused()
      const asked = [feeds[0]?.url ?? '', ...urls]
      const seen = new Set<string>()
      const different = new Set<string>()
      await vi.waitUntil(async () => {
        const prices = await Promise.all(asked.map(priceAt))
        const blocks = new Set(prices.map((each) => JSON.stringify(each.blocks)))
        if (blocks.size > 1) return false
        for (const price of prices) expect(price).toEqual(prices[0])
        seen.add([...blocks][0] ?? '')
        different.add(JSON.stringify(prices[0]?.details))
        return seen.size >= 5 && different.size > 1
      }, patience)
      expect(calls()).toBe(before)
      expect(sockets()).toBe(0)
      const methods = proxies.flatMap((proxy) => proxy.calls.map(({ method }) => method))
      expect(methods.filter((each) => /getLogs|feeHistory|subscribe/.test(each))).toEqual([])
      expect(await refused()).toEqual(refusedBefore)
    })

    it('answer queries that need no endpoint without any, and others with null or a code', async () => {
      const url = urls.at(-1) ?? ''
      const quote = { ...input, recipient: users[0].address, refundTo: users[0].address }
      const variables = {
        signed: { ...quote, usePermit: true },
        input,
        quote,
        other: { ...input, destinationCurrency: `0x${'7'.repeat(40)}` },
        ofNative: { ...quote, originCurrency: nativeAddress, amount: `${10n ** 18n}` },
      }
      const client = createGraphqlClient(url)
      const { data, errors = [] } = await client.query<object, object>(nodeQuery, variables)
      const steps = [{ name: 'DEPOSIT', items: [{ data: { gas: null } }] }]
      expect(data ?? errors).toEqual({
        price: { details: { userBalance: null } },
        ofNative: { steps },
        quote: null,
        signed: null,
        other: null,
      })
      const refusals = errors.map((each) => [each.path, each.message, each.extensions['code']])
      expect(refusals.toSorted()).toEqual([
        [['other'], expect.stringMatching(noEndpoint), 'RPC_HTTP_ERROR'],
        [['quote', 'steps'], expect.stringMatching(noEndpoint), 'RPC_HTTP_ERROR'],
        [['signed'], expect.stringMatching(noEndpoint), 'RPC_HTTP_ERROR'],
      ])
    })

    it('answer a call to send with a code if they have no endpoints', async () => {
      const call = { chainId: origin, to: users[0].address, data: '0x', value: '0' }
      const { status, body } = await executeCall(urls.at(-1) ?? '', sponsor.key, call)
      const expected = { errorCode: 'RPC_HTTP_ERROR', message: expect.stringMatching(noEndpoint) }
      expect([status, body]).toEqual([503, expect.objectContaining(expected)])
    })

    it('do not start without endpoints in any other role', async () => {
      const roles = [{}, { ROLES: 'gateway' }, { ROLES: 'feed' }]
      const reading = { ROLES: 'gateway,tracker', MARKET_SOURCE: 'feed' }
      await Promise.all(
        [...roles, reading].map(async (each) => {
          const process = startBare(each)
          expect(await process.ended).toBe(1)
          expect(process.log()).toMatch(/line \d+: chains\.0\.rpcUrls: is missing/)
        }),
      )
    })

    it('continue with new blocks after Redis was killed and has lost everything', async () => {
      await redis.kill()
      await redis.start()
      await passBlocks(3)
      // Gateways that come later find a snapshot again.
      const snapshots = () => redis.redis.keys('crossquote:feed:*:snapshot')
      await vi.waitUntil(async () => (await snapshots()).length === 2, patience)
    })

    it('continue with the standby after the feed was killed, and always have a price', async () => {
      const [leader, standby] = feeds
      expect(await figureOf(standby?.url ?? '', 'crossquote_leads', 'feed')).toBe(0)
      const before = calls()
      await leader?.process.kill()
      await passBlocks(3)
      expect(await figureOf(standby?.url ?? '', 'crossquote_leads', 'feed')).toBe(2)
      expect(calls()).toBe(before)
    })

    it('refuse prices and are not ready once no feed publishes', async () => {
      await feeds[1]?.process.kill()
      const [url = ''] = urls
      const { errors = [] } = await vi.waitUntil(async () => {
        const answer = await ask(url)
        return answer.errors === undefined ? false : answer
      }, patience)
      expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['STALE_MARKET'])
      const { status, body } = await readiness(url)
      expect(status).toBe(503)
      expect(body).toMatch(/The feed of Devnet \w+ has been silent for \d+ s/)
    })
  },
)
