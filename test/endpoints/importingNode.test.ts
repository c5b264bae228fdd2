import { afterEach, expect, test, vi } from 'vitest'
import { poolsOf } from '#src/core/router/graph.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createRandom } from '#test/bench/route/generate/random.ts'
import { patience } from '#test/support/patience.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'
import { tradeSome } from '#test/support/simulatedNode/trades.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_113)

test.each([1, 2, 3])(
  'reads a pool again if its first state is from a block that the node was importing: %d',
  async (seed) => {
    const random = createRandom(seed)
    const state = manyPools(id, { pairs: 4, concentrated: 40 })
    const chain = createSimulatedChain({ id, state })
    chain.mine()
    const node = await startSimulatedNode(chain)
    const tradeAll = () => chain.mine(tradeSome(random, chain.head().state, 100))
    const parent = chain.head().number
    // The next block exists once the first pools are read, and the node returns its state as that of its parent.
    node.behave(() => {
      const hasRead = node.calls.some(({ method }) => method === 'eth_call')
      if (hasRead && chain.head().number === parent) tradeAll()
      return { importsNext: true }
    })
    // No verification finds it.
    const { market, close } = startSimulatedMarket(chain, [node.url], { verifyEverySeconds: 3_600 })
    undo.push(node.stop, close)
    await market.ready()
    node.behave({})
    tradeAll()
    const pools = () => {
      const latest = market.latest(id)
      return latest?.block.hash === chain.head().hash ? poolsOf(latest.graph) : undefined
    }
    const expected = [...chain.head().state.pools]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { pool }]) => pool)
    await vi.waitFor(() => expect(pools()).toEqual(expected), patience)
  },
)
