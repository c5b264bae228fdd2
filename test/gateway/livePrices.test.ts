import { createClient } from 'graphql-ws'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createChainHeads } from '#src/service/live/chainHeads.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { originChain } from '#test/support/fixtures/markets.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { createLiveRig, type LiveRig, swappingInput } from '#test/support/rigs/livePricesRig.ts'

let rig: LiveRig
let gateway: ServedGateway
beforeEach(async () => {
  rig = createLiveRig()
  const watchHead = createChainHeads({ market: rig.market, ending: new AbortController().signal })
  gateway = await serveGateway({
    watchPrice: rig.live.watch,
    watchChainHead: (id) => watchHead(id as typeof originChain),
  })
})
afterEach(() => gateway.close())

type Told = {
  data?: {
    price?: {
      price: object | null
      failure: { code: string; message: string; issues: object[] } | null
      blocks: { chainId: number; number: number }[]
    }
    chainHead?: object
  }
  errors?: { message: string; path?: string[]; extensions: Record<string, unknown> }[]
}

async function* bySse(query: string, variables: object = {}): AsyncGenerator<Told> {
  const response = await gateway.post({ query, variables }, { accept: 'text/event-stream' })
  for await (const { event, data } of readEventStream(response)) {
    if (event === 'complete') return
    yield data as Told
  }
}

async function* bySocket(query: string, variables: object = {}): AsyncGenerator<Told> {
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
  try {
    yield* client.iterate({ query, variables: { ...variables } }) as AsyncIterable<Told>
  } finally {
    await client.dispose()
  }
}

const selecting = (price: string) => `subscription Live($input: PriceInput!, $min: Int) {
  price(input: $input, minIntervalMs: $min) {
    price { ${price} }
    failure { code message issues { path message code } }
    blocks { chainId number }
  }
}`
const live = selecting('details { currencyOut { amount } } fees { gas { amount } }')
const input = swappingInput

/** The blocks of an event, as a short text. */
const blocksOf = ({ data }: Told) => data?.price?.blocks.map((block) => block.number).join('/')

describe.each([
  ['server-sent events', bySse],
  ['WebSocket', bySocket],
])('over %s', (_, watchBy) => {
  it('sends a live price at once, then with each block that changes it; a failure does not end it', async () => {
    const { market } = rig
    const events = watchBy(live, { input })
    const next = async (): Promise<Told> => (await events.next()).value
    const first = await next()
    expect([first.data?.price?.failure, blocksOf(first)]).toEqual([null, '100/100'])
    market.mine(originChain, 'nothing')
    market.mine(originChain, 'gas')
    expect(blocksOf(await next())).toBe('102/100')
    market.mine(originChain, 'noPools')
    const { data } = await next()
    expect(data?.price).toMatchObject({
      price: null,
      failure: { code: 'NO_SWAP_ROUTES_FOUND', issues: [] },
      blocks: [{ number: 103 }, { number: 100 }],
    })
    market.mine(originChain, 'first')
    expect((await next()).data?.price?.price).toEqual(first.data?.price?.price)
    await events.return(undefined)
    await vi.waitUntil(async () => {
      const before = rig.searches()
      market.mine(originChain, 'gas')
      await new Promise((resolve) => setImmediate(resolve))
      return rig.searches() === before
    }, patience)
  })

  it('sends nothing for a block that changes no selected field', async () => {
    const { market } = rig
    const events = watchBy(selecting('details { operation }'), { input })
    const first = await events.next()
    const second = events.next()
    for (let block = 0; block < 5; block += 1) {
      market.mine(originChain, 'gas')
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(rig.searches()).toBeGreaterThan(2)
    market.mine(originChain, 'noPools')
    const { failure, blocks } = (await second).value.data?.price ?? {}
    expect([failure?.code, blocks?.[0]?.number]).toEqual(['NO_SWAP_ROUTES_FOUND', 106])
    expect(first.value.data?.price?.price).not.toBeNull()
    await events.return(undefined)
  })

  it.each([
    [
      'an inline fragment',
      (price: string) => `subscription Live($input: PriceInput!) {
      ... on Subscription { price(input: $input) { price { ${price} } blocks { number } } }
    }`,
    ],
    [
      'a fragment',
      (price: string) => `subscription Live($input: PriceInput!) { ...Of }
      fragment Of on Subscription { price(input: $input) { price { ${price} } blocks { number } } }`,
    ],
  ])('a block that changes nothing of the selection in %s sends nothing', async (_, inFragment) => {
    const { market } = rig
    const events = watchBy(inFragment('details { operation }'), { input })
    expect(blocksOf((await events.next()).value)).toBe('100/100')
    const second = events.next()
    for (let block = 0; block < 3; block += 1) {
      market.mine(originChain, 'gas')
      await new Promise((resolve) => setImmediate(resolve))
    }
    market.mine(originChain, 'noPools')
    expect(blocksOf((await second).value)).toBe('104/100')
    await events.return(undefined)
  })

  it.each([
    ['a bad interval', { input, min: 60_001 }, 'INVALID_REQUEST', [['minIntervalMs']]],
    ['a bad address', { input: { ...input, user: '0x1' } }, 'INVALID_ADDRESS', [['user']]],
    [
      'bad types and bad contents',
      { input: { ...input, user: '0x1', usePermit: 'x' } },
      'INVALID_REQUEST',
      [['user'], ['usePermit']],
    ],
    [
      'an unknown chain',
      { input: { ...input, originChainId: 5 } },
      'UNSUPPORTED_CHAIN',
      [['originChainId']],
    ],
    [
      'an unknown currency',
      { input: { ...input, originCurrency: `0x${'7'.repeat(40)}` } },
      'INVALID_INPUT_CURRENCY',
      [['originCurrency']],
    ],
  ])('%s ends it at once with an error', async (_, variables, code, paths) => {
    const events = watchBy(live, variables)
    const { errors } = (await events.next()).value as Told
    expect(errors?.[0]?.extensions['code']).toBe(code)
    // Types are checked before there is a field.
    expect(errors?.[0]?.path).toEqual(paths.length > 1 ? undefined : ['price'])
    const issues = errors?.[0]?.extensions['issues'] as { path: string[] }[]
    expect(issues.map(({ path }) => path)).toEqual(paths)
    expect((await events.next()).done).toBe(true)
  })

  it('sends a head at once, then with each block', async () => {
    const { market } = rig
    const query = 'subscription { chainHead(chainId: 990001) { number hash pools } }'
    const events = watchBy(query)
    const next = async () => (await events.next()).value.data?.chainHead
    expect(await next()).toMatchObject({ number: 100, pools: 7 })
    market.mine(originChain, 'nothing')
    expect(await next()).toMatchObject({ number: 101, pools: 7 })
    market.mine(originChain, 'noPools')
    expect(await next()).toMatchObject({ number: 102, pools: 0 })
    await events.return(undefined)
  })
})
