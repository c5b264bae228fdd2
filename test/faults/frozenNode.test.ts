import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import type { HttpServer } from '#src/gateway/http/httpServer.ts'
import { createMarkets, type Markets } from '#src/market/markets.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createApis } from '#src/system/apis.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { type MarketChain, startMarketChain } from '#test/support/chains/marketChain.ts'
import { type LogLine, recordLog } from '#test/support/chains/testChain.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import { createPgliteHome, type StoreHome } from '#test/support/store/storeHome.ts'

let chain: MarketChain
let proxy: RpcProxy
let client: ChainClient
let market: Markets
let home: StoreHome
let store: RequestStore
let gateway: HttpServer
let url: string
let lines: readonly LogLine[]

beforeAll(async () => {
  const [plan] = chainPlans
  chain = await startMarketChain(plan)
  proxy = await startRpcProxy(chain.rpcUrl)
  home = await createPgliteHome()
  store = await home.open()
  const config = chain.configure({ rpcUrls: [proxy.url] })
  const [first] = config.chains
  if (first === undefined) throw new Error('No chain is configured')
  const recorded = recordLog()
  const { log } = recorded
  lines = recorded.lines
  // The node never answers, so an answer did not wait for it.
  client = createChainClient(first, log, { timeoutSeconds: 3_600 })
  const clients = new Map([[first.id, client]])
  // The clock is stopped, so that the market does not become stale.
  const now = () => 0
  const time = createChainClock(() => market, now)
  market = createMarkets({ clients, log, now, time }, { config, listed: chain.listed })
  await market.ready()
  const work = createWork(() => undefined)
  gateway = createApis({ log, config, clients, market, work, store, bus: createLocalBus() })
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy.behave('pass')
  await gateway.close()
  client.close()
  await market.close()
  await store.close()
  await home.remove()
  await proxy.stop()
  await chain.stop()
})

/** An order of the `at`th user, whose balance is in no cache. */
function orderOf(at: number) {
  const usdc = chain.deployed.currencies.find(({ symbol }) => symbol === 'USDC')
  const chainId = chain.deployed.plan.id
  const user = `0xa${at.toString(16).padStart(39, '0')}` as Address
  return {
    user,
    recipient: user,
    originChainId: chainId,
    destinationChainId: chainId,
    originCurrency: nativeAddress,
    destinationCurrency: usdc?.address ?? nativeAddress,
    amount: '1000000000000000',
    tradeType: 'EXACT_INPUT',
  }
}

const postPrice = (at: number) =>
  fetch(`${url}/price`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(orderOf(at)),
  })

it('quotes with gas send a slow node few requests at a time, leave out the others, and cause no backoff', async () => {
  proxy.behave({
    change: ({ method }, answer) => (method === 'eth_estimateGas' ? new Promise(() => {}) : answer),
  })
  const before = proxy.calls.length
  const fields = Array.from(
    { length: 25 },
    (_, at) => `q${at}: quote(input: $input) { requestId steps { items { data { gas } } } }`,
  )
  const query = `query ($input: QuoteInput!) { ${fields.join(' ')} }`
  const { post } = createGraphqlClient(url)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async (at) =>
      (await post({ query, variables: { input: orderOf(at) } })).json(),
    ),
  )
  for (const answer of answers) {
    expect(answer).not.toHaveProperty('errors')
    expect(JSON.stringify(answer)).toContain('"gas":null')
  }
  const asked = proxy.calls.slice(before).filter(({ method }) => method === 'eth_estimateGas')
  expect(asked.length).toBeGreaterThan(0)
  // Five at a time. The slower the machine, the more of those that wait begin while the first five give up.
  expect(asked.length).toBeLessThan(4 * 25)
  proxy.behave('pass')
  expect(lines.filter(({ msg }) => msg.includes('RPC endpoint'))).toEqual([])
})

it('prices omit the balance while the node is frozen: REST sends a header, GraphQL sends null', async () => {
  // A busy machine may take longer than the time that a balance has.
  const known = await vi.waitUntil(async () => {
    const answer = await postPrice(0)
    return answer.headers.get('x-unavailable') === null && answer
  }, patience)
  expect(known.status).toBe(200)
  expect(await known.json()).toMatchObject({ details: { userBalance: '0' } })

  proxy.behave('hang')
  const rest = await Promise.all(Array.from({ length: 66 }, (_, at) => postPrice(at + 100)))
  for (const answer of rest) {
    expect([answer.status, answer.headers.get('x-unavailable')]).toEqual([
      200,
      'details.userBalance',
    ])
    const { details } = (await answer.json()) as { details: object }
    expect(details).toHaveProperty('rate')
    expect(details).not.toHaveProperty('userBalance')
  }
  const query =
    'query ($input: PriceInput!) { price(input: $input) { details { rate userBalance } } }'
  const { recipient: _, ...input } = orderOf(1_000)
  const graphql = await createGraphqlClient(url).query(query, { input })
  expect(graphql).toEqual({
    data: { price: { details: { rate: expect.any(String), userBalance: null } } },
  })
  // The node was asked, and has not answered to this day.
  await vi.waitUntil(() => proxy.hanging.size > 0, patience)
})

it('a quote that needs an allowance names the chain that does not answer, while its node is frozen', async () => {
  proxy.behave('hang')
  const { destinationCurrency, ...order } = orderOf(2_000)
  const input = {
    ...order,
    originCurrency: destinationCurrency,
    destinationCurrency: order.originCurrency,
    amount: '5000000',
  }
  const query = 'query ($input: QuoteInput!) { quote(input: $input) { steps { id } } }'
  const { data, errors } = await createGraphqlClient(url).query(query, { input })
  expect(data).toEqual({ quote: null })
  expect(errors).toMatchObject([
    {
      message: 'No RPC endpoint of chain 990001 answered in time.',
      path: ['quote', 'steps'],
      extensions: { code: 'RPC_HTTP_ERROR', chainId: 990001 },
    },
  ])
})
