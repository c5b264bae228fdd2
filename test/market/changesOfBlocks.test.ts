import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd, toUsdPrice } from '#src/core/units/usd.ts'
import type { Markets } from '#src/market/markets.ts'
import { createUsdPrices } from '#src/market/prices/usdPrices.ts'
import { createRandom } from '#test/bench/route/generate/random.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'
import { feedAnswers } from '#test/support/simulatedNode/feedAnswers.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
} from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'
import { tradeSome } from '#test/support/simulatedNode/trades.ts'

const id = toChainId(990_107)
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const minPoolDepthUsd = '1000'
const state = manyPools(id, { pairs: 20, concentrated: 8 })
const [fed = nativeAddress] = state.tokens.keys()
const aggregator = `0x${'feed'.padStart(40, '0')}` as const

type Step = Readonly<{ trades: number; seed: number } | { reorg: number }>

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ trades: fc.nat(8), seed: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ reorg: fc.integer({ min: 1, max: 4 }) }) },
)

/** Each price rises and falls with the trades: the reserves of the pools are as large as the depth that counts. */
function take(chain: SimulatedChain, each: Step): void {
  if ('reorg' in each) chain.reorg(Math.min(each.reorg, chain.head().number - 1))
  else chain.mine(tradeSome(createRandom(each.seed), chain.head().state, each.trades))
}

const isAtHead = (market: Markets, chain: SimulatedChain) =>
  market.latest(id)?.block.hash === chain.head().hash

/** The contents of a market that starts at this state of the chain. */
function fromNothing(chain: SimulatedChain) {
  const graph = createGraph([...chain.head().state.pools.values()].map(({ pool }) => pool))
  const rules = {
    minDepth: toUsd(BigInt(minPoolDepthUsd) * 10n ** 8n),
    wrappedNative: fed,
    feedOnly: new Set<never>(),
  }
  const usdPrices = createUsdPrices(rules)({
    feeds: new Map([[fed, toUsdPrice(10n ** 18n)]]),
    pools: graph.pools,
    decimalsOf: () => 18,
  })
  return { graph, usdPrices }
}

test('after any blocks and reorgs, the market equals one that starts at the newest block', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const answers = new Map([[aggregator, feedAnswers(10n ** 8n)]])
      const chain = createSimulatedChain({ id, state: { ...state, answers } as never })
      for (let blocks = 0; blocks < 4; blocks += 1) chain.mine()
      const node = await startSimulatedNode(chain)
      undo.push(node.stop)
      const priceFeeds = [{ currency: fed, aggregator, maxAgeSeconds: 86_400 }]
      const changes = { minPoolDepthUsd, priceFeeds, verifyEverySeconds: 86_400 }
      const { market, close } = startSimulatedMarket(chain, [node.url], changes)
      undo.push(close)
      await market.ready()
      for (const each of steps) {
        take(chain, each)
        await vi.waitUntil(() => isAtHead(market, chain), { ...patience, interval: 5 })
        const { graph, usdPrices } = fromNothing(chain)
        const latest = market.latest(id)
        expect(latest?.graph).toEqual(graph)
        expect(new Map([...usdPrices].sort())).toEqual(
          new Map([...(latest?.usdPrices ?? [])].sort()),
        )
      }
      for (const each of undo.splice(0).reverse()) await each()
    }),
    // To shrink a history takes as long as many histories.
    { numRuns: runs(20, 6), endOnFailure: true },
  )
})
