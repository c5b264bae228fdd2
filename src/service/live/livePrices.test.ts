import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { updateGraph } from '#src/core/router/graph.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { PriceEvent } from '#src/service/answers.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { price } from '#src/service/quote/price.ts'
import { quote } from '#src/service/quote/quote.ts'
import {
  account,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, loaders } from '#test/support/fixtures/quoteDeps.ts'
import {
  createLiveRig,
  crossChainPrice,
  dispatchDuePrices,
  swapping,
  swappingInput,
} from '#test/support/rigs/livePricesRig.ts'

it('searches once a block for all subscribers with the same input, and not for blocks of other chains', async () => {
  const rig = createLiveRig()
  const { market, live } = rig
  const same = { ...crossChainPrice, referrer: 'us', recipient: null }
  const subscribers = Array.from({ length: 300 }, (_, at) =>
    live.watch(at % 2 === 0 ? crossChainPrice : same, 0, client),
  )
  const firsts = await Promise.all(subscribers.map((each) => each.next()))
  expect([new Set(firsts.map(({ value }) => value?.price?.rate)).size, rig.searches()]).toEqual([
    1, 1,
  ])
  const seconds = Promise.all(subscribers.map((each) => each.next()))
  market.mine(thirdChain)
  await dispatchDuePrices()
  expect(rig.searches()).toBe(1)
  market.mine(destinationChain, 'pool')
  market.mine(originChain)
  expect(new Set((await seconds).map(({ value }) => value)).size).toBe(1)
  expect(rig.searches()).toBe(2)
})

it('a quote takes the live price of the same market, and searches after a block of its chains', async () => {
  const rig = createLiveRig()
  const { market, live, deps } = rig
  const items = live.watch(swapping, 0, client)
  const first = (await items.next()).value as PriceEvent
  const quoted = async () =>
    (await quote(deps, { ...swapping }, loaders, client)).currencyOut.amount
  expect(await quoted()).toBe(first.price?.currencyOut.amount)
  market.mine(thirdChain)
  await quoted()
  expect(rig.searches()).toBe(1)
  // The live price has not been computed again yet: the quote may not take the old one.
  market.mine(originChain, 'noPools')
  await expect(quoted()).rejects.toMatchObject({ code: 'NO_SWAP_ROUTES_FOUND' })
  market.mine(originChain, 'first')
  market.mine(originChain, 'gas')
  const second = (await items.next()).value as PriceEvent
  const searches = rig.searches()
  expect([await quoted(), rig.searches()]).toEqual([second.price?.currencyOut.amount, searches])
  // Another order is searched for.
  await quote(deps, { ...swapping, amount: (swapping.amount * 2n) as never }, loaders, client)
  await items.return?.()
  await quoted()
  expect(rig.searches()).toBe(searches + 2)
})

it('prices an input only for readers who are ready, and then on the newest market', async () => {
  const { market, live, searches } = createLiveRig()
  const [slow, quick] = [live.watch(swapping, 0, client), live.watch(swapping, 0, client)]
  await slow.next()
  await quick.next()
  const before = searches()
  const mine = async (times: number) => {
    for (let block = 0; block < times; block += 1) {
      market.mine(originChain, 'gas')
      await dispatchDuePrices()
    }
    return market.latest(originChain)?.block.number
  }
  const newest = await mine(3)
  expect(searches()).toBe(before)
  const { value } = await quick.next()
  expect([value?.blocks[0]?.number, searches()]).toEqual([newest, before + 1])
  const next = quick.next()
  const last = await mine(1)
  expect([(await next).value?.blocks[0]?.number, searches()]).toEqual([last, before + 2])
  expect((await slow.next()).value?.blocks[0]?.number).toBe(last)
  expect(searches()).toBe(before + 2)
})

it('does not search for a block that changes nothing but itself, and a quote then names that block', async () => {
  const rig = createLiveRig()
  const { market, live, deps } = rig
  const items = live.watch(crossChainPrice, 0, client)
  const first = (await items.next()).value as PriceEvent
  const second = items.next()
  market.mine(originChain, 'nothing')
  market.mine(destinationChain, 'nothing')
  await dispatchDuePrices()
  expect(rig.searches()).toBe(1)
  const quoted = await quote(deps, { ...crossChainPrice }, loaders, client)
  expect(quoted.currencyOut).toEqual(first.price?.currencyOut)
  expect(quoted.blocks.map(({ hash }) => hash)).toEqual(
    [originChain, destinationChain].map((chainId) => market.latest(chainId)?.block.hash),
  )
  market.mine(destinationChain, 'gas')
  const newer = (await second).value as PriceEvent
  expect([newer.blocks, rig.searches()]).toEqual([newer.price?.blocks, 2])
})

it.each([
  ['INVALID_RECIPIENT', { recipient: `0x${'0'.repeat(40)}` }],
  ['UNSUPPORTED_CHAIN', { destinationChainId: 7 }],
  ['INVALID_INPUT_CURRENCY', { originCurrency: account('7') }],
  ['INVALID_OUTPUT_CURRENCY', { destinationCurrency: account('7') }],
])('an input at fault ends it at once with %s, as it ends `price`', async (code, changes) => {
  const { live, deps } = createLiveRig()
  const request = priceInput.parse({ ...swappingInput, ...changes })
  const failure = await price(deps, request, loaders, client).catch((error) => error)
  expect(failure).toMatchObject({ code })
  const items = live.watch(request, 0, client)
  await expect(items.next()).rejects.toEqual(failure)
  expect((await items.next()).done).toBe(true)
})

it('a market that is not ready, has no route or becomes stale is an event, and prices come after it', async () => {
  const { market, live } = createLiveRig()
  market.setStale(destinationChain, true)
  const items = live.watch(swapping, 0, client)
  const codes: unknown[] = []
  const next = async () => {
    const { price: found, failure, blocks } = (await items.next()).value as PriceEvent
    codes.push(failure?.code ?? found?.operation)
    expect(blocks.map(({ chainId }) => chainId)).toEqual([originChain, destinationChain])
  }
  await next()
  market.setStale(destinationChain, false)
  market.mine(destinationChain, 'nothing')
  await next()
  market.mine(originChain, 'noPools')
  await next()
  market.mine(originChain, 'first')
  await next()
  // No block comes: the market becomes stale as time passes.
  market.setStale(originChain, true)
  await next()
  expect(codes).toEqual(['STALE_MARKET', 'swap', 'NO_SWAP_ROUTES_FOUND', 'swap', 'STALE_MARKET'])
})

it('prices the input of one client after each block before most of another’s', async () => {
  const { market, live, searches } = createLiveRig()
  const busy = { ...client, network: '198.51.100.8' }
  const many = Array.from({ length: 40 }, (_, at) =>
    live.watch({ ...swapping, amount: swapping.amount + BigInt(at) } as never, 0, busy),
  )
  const items = live.watch(crossChainPrice, 0, client)
  await Promise.all([...many, items].map((each) => each.next()))
  const before = searches()
  for (const each of many) void each.next()
  const next = items.next()
  market.mine(originChain, 'gas')
  await next
  expect(searches() - before).toBeLessThan(5)
  await dispatchDuePrices()
  await dispatchDuePrices()
  expect(searches() - before).toBe(41)
})

it('prices the input of one client in a turn of the event loop', async () => {
  const { market, live, searches } = createLiveRig()
  const each = Array.from({ length: 20 }, (_, at) =>
    live.watch({ ...swapping, amount: swapping.amount + BigInt(at) } as never, 0, {
      ...client,
      network: `198.51.100.${at}`,
    }),
  )
  await Promise.all(each.map((items) => items.next()))
  for (const items of each) void items.next()
  market.mine(originChain, 'gas')
  const before = searches()
  for (let turn = 1; turn <= 20; turn += 1) {
    const searched = searches()
    await new Promise((resolve) => setImmediate(resolve))
    expect(searches() - searched).toBeLessThanOrEqual(1)
  }
  await dispatchDuePrices()
  expect(searches() - before).toBe(20)
})

it('prices one input of a client at a time, however often it leaves and comes back', async () => {
  const { live, searches, search } = createLiveRig()
  const { promise, resolve } = Promise.withResolvers<void>()
  search.after = promise
  const follow = (at: number) =>
    live.watch({ ...swapping, amount: swapping.amount + BigInt(at) } as never, 0, client)
  for (let at = 0; at < 10; at += 1) {
    const items = follow(at)
    void items.next()
    await dispatchDuePrices()
    await items.return?.()
  }
  expect(searches()).toBe(1)
  const next = follow(10).next()
  resolve()
  expect((await next).value?.price).toBeDefined()
  expect(searches()).toBe(2)
})

it('prices a shared input in the turn of the client that has taken the least time', async () => {
  const { market, live, searches, took } = createLiveRig()
  const busy = { ...client, network: '198.51.100.8' }
  const many = Array.from({ length: 40 }, (_, at) =>
    live.watch({ ...swapping, amount: swapping.amount + BigInt(at) } as never, 0, busy),
  )
  const first = live.watch(crossChainPrice, 0, busy)
  const items = live.watch(crossChainPrice, 0, client)
  await Promise.all([first, ...many, items].map((each) => each.next()))
  took.set(busy.network, 1_000)
  const before = searches()
  for (const each of many) void each.next()
  const next = items.next()
  market.mine(originChain, 'gas')
  await next
  expect(searches() - before).toBeLessThan(5)
  // The client leaves while the input waits for its turn.
  await first.next()
  const last = first.next()
  market.mine(destinationChain, 'gas')
  await items.return?.()
  expect((await last).value?.price).toBeDefined()
})

it('prices an input again after a block that came meanwhile, in the turn of whichever client', async () => {
  const { market, live, took, search } = createLiveRig()
  const busy = { ...client, network: '198.51.100.8' }
  const events: PriceEvent[] = []
  for (const follower of [busy, client])
    void (async () => {
      for await (const event of live.watch(crossChainPrice, 0, follower)) events.push(event)
    })()
  await dispatchDuePrices()
  const { promise, resolve } = Promise.withResolvers<void>()
  search.after = promise
  market.mine(originChain, 'gas')
  await dispatchDuePrices()
  took.set(busy.network, 1_000)
  market.mine(originChain, 'gas')
  await dispatchDuePrices()
  resolve()
  await dispatchDuePrices()
  expect(events.at(-1)?.blocks[0]?.number).toBe(market.latest(originChain)?.block.number)
})

it('keeps no market of earlier blocks in memory, however long ago an input was priced', async () => {
  let current = wideMarket
  const graphs: WeakRef<object>[] = []
  const listeners = new Set<(chainId: ChainId) => void>()
  const mine = () => {
    const chain = current.chains.get(originChain) as ChainMarket
    const graph = updateGraph(chain.graph, [])
    graphs.push(new WeakRef(graph))
    const number = chain.block.number + 1n
    const next = { ...chain, graph, block: { ...chain.block, number } }
    current = { ...current, chains: new Map(current.chains).set(originChain, next) }
    for (const listener of listeners) listener(originChain)
  }
  const { live } = createLiveRig({
    snapshot: () => current,
    latest: (chainId: ChainId) => current.chains.get(chainId),
    listen: (listener: (chainId: ChainId) => void) => listeners.add(listener),
  } as never)
  const followed = Array.from({ length: 20 }, (_, at) =>
    live.watch({ ...swapping, amount: swapping.amount + BigInt(at) } as never, 0, client),
  )
  for (const items of followed) {
    mine()
    await items.next()
  }
  mine()
  await dispatchDuePrices()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(graphs.filter((graph) => graph.deref() !== undefined).length).toBeLessThan(5)
  for (const items of followed) await items.return?.()
})

it('ends the newest input of the client that follows the most if there are too many', async () => {
  const { live } = createLiveRig(undefined, { maxTopics: 3 })
  const of = (amount: bigint, network: string) =>
    live.watch({ ...swapping, amount } as never, 0, { ...client, network })
  const [first, shared, newest] = [1n, 2n, 3n].map((amount) =>
    of(amount * 10n ** 21n, '198.51.100.8'),
  )
  const same = of(3n * 10n ** 21n, '198.51.100.9')
  await Promise.all([first, shared, newest, same].map((each) => each?.next()))
  const full = 'The gateway follows 3 different inputs already'
  expect(() => of(4n * 10n ** 21n, '198.51.100.8')).toThrow(full)
  const ended = shared?.next()
  const other = of(4n * 10n ** 21n, '198.51.100.9')
  await expect(ended).rejects.toThrow(full)
  expect((await other.next()).value?.failure).toBeUndefined()
  // Both follow two inputs now.
  expect(() => of(5n * 10n ** 21n, '198.51.100.9')).toThrow(full)
  expect(() => of(5n * 10n ** 21n, '198.51.100.7')).not.toThrow()
})

it('follows a limited number of inputs at a time, until somebody leaves', async () => {
  const { live } = createLiveRig(undefined, { maxTopics: 1 })
  const items = live.watch(crossChainPrice, 0, client)
  await items.next()
  live.watch({ ...crossChainPrice, referrer: 'us' }, 0, client).return?.()
  expect(() => live.watch(swapping, 0, client)).toThrow(
    'The gateway follows 1 different inputs already',
  )
  await items.return?.()
  expect((await live.watch(swapping, 0, client).next()).value?.failure).toBeUndefined()
})

it('ends every live price when the process stops, and listens to the market no more', async () => {
  const { market, live, end } = createLiveRig()
  const items = live.watch(crossChainPrice, 0, client)
  await items.next()
  const next = items.next()
  end()
  await expect(next).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(market.listeners()).toBe(0)
})

it('goes on while a node does not answer for the currency of another input', async () => {
  const never = { ...loaders, currency: () => new Promise<never>(() => {}) }
  const { market, live } = createLiveRig(undefined, undefined, never)
  const unknown = priceInput.parse({ ...swappingInput, originCurrency: account('7') })
  void live.watch(unknown, 0, client).next()
  const items = live.watch(crossChainPrice, 0, client)
  const first = (await items.next()).value as PriceEvent
  market.mine(destinationChain, 'gas')
  const second = (await items.next()).value as PriceEvent
  expect([first, second].map(({ failure }) => failure)).toEqual([undefined, undefined])
  expect(second.blocks).not.toEqual(first.blocks)
})
