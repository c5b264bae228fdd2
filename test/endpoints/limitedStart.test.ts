import { afterEach, expect, test, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { patience } from '#test/support/patience.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import {
  type NodeFaults,
  startSimulatedNode,
} from '#test/support/simulatedNode/startSimulatedNode.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_101)

async function start(faults: NodeFaults, counts = { pairs: 5, concentrated: 45 }, limits = {}) {
  const chain = createSimulatedChain({ id, state: manyPools(id, counts) })
  chain.mine()
  const node = await startSimulatedNode(chain, faults)
  const rig = startSimulatedMarket(chain, [{ url: node.url, ...limits }])
  undo.push(node.stop, rig.close)
  return { ...rig, chain, node }
}

test.each([{ requestsPerSecond: 4 }, { requestsPerSecond: 4, retryAfter: '1' }])(
  'a start with more reads than the endpoint takes becomes ready: %o',
  async (faults) => {
    const { market, node, lines } = await start(faults)
    await vi.waitUntil(() => market.latest(id)?.graph.pools.length === 50, patience)
    expect(node.limited()).toBeGreaterThan(0)
    expect(node.limited()).toBeLessThan(node.calls.length / 2)
    // It was checked once, although it refused later requests, and nothing was read again from the start.
    expect(node.calls.filter(({ method }) => method === 'eth_chainId')).toHaveLength(1)
    expect(lines.map(({ msg }) => msg)).not.toContain('Restarting the market of the chain')
  },
)

test('a configured limit avoids all refusals', async () => {
  const faults = { requestsPerSecond: 12 }
  const { market, node } = await start(faults, { pairs: 2, concentrated: 20 }, faults)
  await vi.waitUntil(() => market.latest(id)?.graph.pools.length === 22, patience)
  expect(node.limited()).toBe(0)
})

test('thousands of pools make one market, with the changes of a new block', async () => {
  const { market, chain } = await start({}, { pairs: 1_500, concentrated: 30 })
  await vi.waitUntil(() => market.latest(id)?.graph.pools.length === 1_530, patience)
  const [changed] = chain.head().state.pools.values()
  if (changed?.pool.kind !== 'constantProduct') throw new Error('The first pool is no pair')
  const pool = { ...changed.pool, reserve0: changed.pool.reserve0 * 2n }
  chain.mine([{ ...changed, pool } as SimulatedPool])
  const inMarket = () =>
    market.latest(id)?.graph.pools.find(({ address }) => address === pool.address)
  await vi.waitFor(() => expect(inMarket()).toEqual(pool), patience)
  chain.reorg(1)
  await vi.waitFor(() => expect(inMarket()).toEqual(changed.pool), patience)
})
