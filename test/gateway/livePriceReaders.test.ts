import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import { price } from '#src/service/quote/price.ts'
import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'
import type { Change } from '#test/support/fixtures/changingMarket.ts'
import { destinationChain, originChain } from '#test/support/fixtures/markets.ts'
import { client, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import {
  createLiveRig,
  dispatchDuePrices,
  inputs,
  type LiveRig,
  requests,
  swappingInput,
} from '#test/support/rigs/livePricesRig.ts'

const patience = { timeout: waitLimitMs, interval: 10 }

let rig: LiveRig
let gateway: ServedGateway
let port: number
const connections = new Set<Socket>()
beforeEach(async () => {
  rig = createLiveRig()
  // No heartbeats: they would disconnect a reader that stops for long on a busy machine.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  gateway = await serveGateway({ watchPrice: rig.live.watch })
  vi.useRealTimers()
  gateway.server.on('connection', (socket: Socket) => connections.add(socket))
  port = (gateway.server.address() as AddressInfo).port
})
afterEach(async () => {
  await gateway.close()
  connections.clear()
})

type Event = Readonly<{
  price: {
    details: { currencyOut: { amount: string } }
    fees: { gas: { amount: string } }
  } | null
  failure: { code: string } | null
  blocks: { chainId: typeof originChain; number: number; hash: string }[]
}>

const eventsIn = (text: string): Event[] =>
  [...text.matchAll(/\{"data":\{"price":(\{.*?\}\])\}/g)].map(
    ([, event = '']) => JSON.parse(`${event}}`) as Event,
  )

const query = (fields: string) => `subscription Live($input: PriceInput!) {
  price(input: $input) { price { ${fields} } failure { code } blocks { chainId number hash } }
}`
const amounts = query('details { currencyOut { amount } } fees { gas { amount } }')

const subscribers = { events: subscribeByEvents, socket: subscribeBySocket } as const

const shownOf = ({ price, failure }: Pick<Event, 'price' | 'failure'>): string =>
  price === null
    ? `${failure?.code}`
    : `${price.details.currencyOut.amount} ${price.fees.gas.amount}`

/** The answers of `price` on each of the markets, in the form of `shownOf`. */
async function shownBy(
  request: PriceInput,
  markets: readonly ReturnType<LiveRig['market']['snapshot']>[],
): Promise<readonly string[]> {
  return Promise.all(
    markets.map(async (market) => {
      const deps = { ...rig.deps, snapshot: () => market, orders: createPricedOrders() }
      const answer = await price(deps, request, loaders, client).catch(({ code }) => code as string)
      return typeof answer === 'string'
        ? answer
        : `${answer.currencyOut.amount} ${answer.fees.gas.amount}`
    }),
  )
}

it('a thousand subscribers get correct prices only, without repeats, through reorgs and reconnects', async () => {
  const count = 1_000
  const histories: Event[][] = []
  const requestOf = (subscriber: number) => subscriber % inputs.length
  const join = (subscriber: number) => {
    const own: Event[] = []
    histories.push(own)
    const by = subscriber % 3 === 0 ? subscribers.events : subscribers.socket
    const input = inputs[requestOf(subscriber)]
    const connection = by({ port, query: amounts, variables: { input } }, (text) => {
      own.push(...eventsIn(text))
    })
    const request = requestOf(subscriber)
    return {
      own,
      request,
      leave: () => ('terminate' in connection ? connection.terminate() : connection.destroy()),
    }
  }
  const everyone: ReturnType<typeof join>[] = []
  const left: typeof everyone = []
  // A server accepts only a limited number of connections at once.
  for (let first = 0; first < count; first += 50) {
    for (let at = 0; at < 50; at += 1) everyone.push(join(first + at))
    await vi.waitUntil(() => everyone.every(({ own }) => own.length > 0), patience)
  }

  const changes: Change[] = [
    'gas',
    'pool',
    'nothing',
    'before',
    'noPools',
    'before',
    'gas',
    'first',
  ]
  for (let block = 0; block < 32; block += 1) {
    rig.market.mine(
      block % 3 === 0 ? destinationChain : originChain,
      changes[block % changes.length],
    )
    // One subscriber of ten reconnects during the blocks, also if it has not read everything.
    for (let subscriber = block; subscriber < count / 10; subscriber += 32) {
      const [before] = everyone.splice(subscriber, 1, join(subscriber))
      before?.leave()
      if (before !== undefined) left.push(before)
    }
    if (block % 4 === 0) await dispatchDuePrices()
  }
  const newest = await Promise.all(
    requests.map((request) => shownBy(request, [rig.market.snapshot([])])),
  )
  await vi.waitUntil(
    () =>
      everyone.every(({ own, request }) => {
        const last = own.at(-1)
        return last !== undefined && newest[request]?.includes(shownOf(last))
      }),
    patience,
  )

  const known = new Map<string, Promise<readonly string[]>>()
  const possible = (request: number, { blocks }: Event): Promise<readonly string[]> => {
    const key = `${request} ${blocks.map(({ hash }) => hash)}`
    const asked = requests[request]
    if (asked === undefined) throw new Error(`There is no request ${request}`)
    const found = known.get(key) ?? shownBy(asked, rig.market.marketsAt(blocks))
    known.set(key, found)
    return found
  }
  for (const { own, request } of [...everyone, ...left])
    for (const [at, event] of own.entries()) {
      expect(await possible(request, event)).toContain(shownOf(event))
      const before = own[at - 1]
      if (before !== undefined) expect(shownOf(event)).not.toBe(shownOf(before))
    }
  // Four inputs on 32 blocks, and those that joined later: no subscriber costs a search of its own.
  expect(rig.searches()).toBeLessThanOrEqual(inputs.length * 34)
  for (const { leave } of everyone) leave()
})

it.each(['events', 'socket'] as const)(
  'over %s, a reader that pauses gets the newest price, and no queue of old ones',
  async (transport) => {
    const { market } = rig
    const long = Array.from({ length: 40 }, (_, at) => `a${at}: fees { ...F }`).join(' ')
    const fragment =
      'fragment F on Fees { gas { ...A } relayer { ...A } relayerGas { ...A } relayerService { ...A } app { ...A } } fragment A on CurrencyAmount { amount currency { chainId address symbol name decimals } }'
    let text = ''
    const variables = { input: swappingInput }
    const reader = subscribers[transport](
      { port, query: `${query(long)} ${fragment}`, variables },
      (more) => {
        text += more
      },
    )
    const numbers = () =>
      [...text.matchAll(/"blocks":\[\{"chainId":\d+,"number":(\d+)/g)].map(([, number]) =>
        Number(number),
      )
    await vi.waitUntil(() => numbers().length === 1, patience)
    reader.pause()
    const [connection] = connections
    if (connection === undefined) throw new Error('Nobody has connected')

    const mine = async () => {
      market.mine(originChain, 'gas')
      await dispatchDuePrices()
      return market.latest(originChain)?.block.number
    }
    // Until the network takes no more: an event waits in the process.
    while (connection.writableLength === 0) await mine()
    await mine()
    const waiting = connection.writableLength
    const full = Number(await mine())
    for (let block = 0; block < 100; block += 1) await mine()
    expect(connection.writableLength).toBe(waiting)

    const newest = Number(await mine())
    reader.resume()
    await vi.waitUntil(() => numbers().at(-1) === newest, patience)
    expect(numbers().filter((number) => number > full)).toEqual([newest])
    if ('terminate' in reader) reader.terminate()
    else reader.destroy()
  },
)
