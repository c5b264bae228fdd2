import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { PriceEvent } from '#src/service/answers.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { Change } from '#test/support/fixtures/changingMarket.ts'
import { destinationChain, originChain, thirdChain } from '#test/support/fixtures/markets.ts'
import { client } from '#test/support/fixtures/quoteDeps.ts'
import {
  asked,
  askedAt,
  createLiveRig,
  crossChainPrice,
  dispatchDuePrices,
  requests,
  shown,
} from '#test/support/rigs/livePricesRig.ts'
import { runs } from '#test/support/runs.ts'

type Step =
  | { type: 'mine'; chainId: ChainId; change: Change }
  | { type: 'verify' | 'stale' | 'current'; chainId: ChainId }
  | { type: 'join'; request: number; isEager: boolean; from: number; took: number }
  | { type: 'read' | 'leave'; subscriber: number }
  | { type: 'settle' }

const chains = fc.constantFrom(originChain, originChain, destinationChain, thirdChain)
const changes = fc.constantFrom<Change[]>(
  ...([
    'nothing',
    'gas',
    'gas',
    'pool',
    'pool',
    'noPools',
    'noBalances',
    'before',
    'before',
  ] as const),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('mine'), chainId: chains, change: changes }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('verify', 'stale', 'current'), chainId: chains }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('join'),
      request: fc.nat(requests.length - 1),
      isEager: fc.boolean(),
      from: fc.nat(2),
      took: fc.nat(2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('read', 'read', 'leave'), subscriber: fc.nat(9) }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('settle') }) },
)

/** A read of the input fails as stale, but a block has ended that before the failure is known. */
const lateFailure: Step[] = [
  { type: 'stale', chainId: originChain },
  { type: 'join', request: 0, isEager: false, from: 0, took: 0 },
  { type: 'current', chainId: originChain },
  { type: 'join', request: 0, isEager: false, from: 0, took: 0 },
  { type: 'settle' },
]

/** The reader that asked for a price has left before it was computed, and another one asks for it. */
const lostDemand: Step[] = [
  { type: 'join', request: 0, isEager: false, from: 0, took: 0 },
  { type: 'join', request: 0, isEager: false, from: 0, took: 0 },
  { type: 'settle' },
  { type: 'mine', chainId: originChain, change: 'nothing' },
  { type: 'settle' },
  { type: 'read', subscriber: 1 },
  { type: 'leave', subscriber: 1 },
]

type Subscriber = {
  request: PriceInput
  items: AsyncIterableIterator<PriceEvent>
  events: PriceEvent[]
  pending: Promise<void> | undefined
  hasLeft: boolean
}

/** Reads one event. A read that is under way is not joined by another one. */
function read(subscriber: Subscriber): void {
  subscriber.pending ??= subscriber.items.next().then(({ done, value }) => {
    subscriber.pending = undefined
    if (done !== true) subscriber.events.push(value)
  })
}

async function readAll(subscriber: Subscriber): Promise<void> {
  for await (const event of subscriber.items) subscriber.events.push(event)
}

it('sends every subscriber the price of some block, never the same twice, and in the end the newest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }),
      async (steps) => {
        const rig = createLiveRig()
        const { market, live } = rig
        const subscribers: Subscriber[] = []
        for (const each of steps) {
          switch (each.type) {
            case 'mine':
              market.mine(each.chainId, each.change)
              break
            case 'verify':
              market.verify(each.chainId)
              break
            case 'stale':
            case 'current':
              // The event comes with the next block of the chain.
              market.setStale(each.chainId, each.type === 'stale')
              market.mine(each.chainId, 'nothing')
              break
            case 'join': {
              const request = requests[each.request] ?? crossChainPrice
              const network = `198.51.100.${each.from}`
              rig.took.set(network, each.took)
              const items = live.watch(request, 0, { ...client, network })
              const subscriber = { request, items, events: [], pending: undefined, hasLeft: false }
              subscribers.push(subscriber)
              if (each.isEager) void readAll(subscriber)
              break
            }
            case 'read':
            case 'leave': {
              const subscriber = subscribers[each.subscriber]
              if (subscriber === undefined) break
              if (each.type === 'read' && !subscriber.hasLeft) read(subscriber)
              if (each.type === 'leave') {
                subscriber.hasLeft = true
                await subscriber.items.return?.()
              }
              break
            }
            case 'settle':
              await dispatchDuePrices()
          }
        }
        await dispatchDuePrices()
        for (const subscriber of subscribers) {
          const { request, events, hasLeft } = subscriber
          if (!hasLeft) read(subscriber)
          await dispatchDuePrices()
          const received = events.map(shown)
          for (const [at, event] of events.entries()) {
            if (event.failure?.code !== 'STALE_MARKET')
              expect(await askedAt(rig, request, event)).toContain(received[at])
            if (at > 0) expect(received[at]).not.toBe(received[at - 1])
          }
          if (!hasLeft) expect(received.at(-1)).toBe(await asked(rig, request))
          await subscriber.items.return?.()
        }
        expect(rig.errors).toEqual([])
        const before = rig.searches()
        market.mine(originChain)
        await dispatchDuePrices()
        expect(rig.searches()).toBe(before)
      },
    ),
    { numRuns: runs(120), examples: [[lateFailure], [lostDemand]] },
  )
})
