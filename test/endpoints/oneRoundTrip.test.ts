import { afterEach, expect, test, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_114)

test('reads the values of a block and its logs at the same time', async () => {
  const chain = createSimulatedChain({ id, state: manyPools(id, { pairs: 3, concentrated: 3 }) })
  chain.mine()
  const node = await startSimulatedNode(chain)
  const proxy = await startRpcProxy(node.url)
  const { market, close } = startSimulatedMarket(chain, [proxy.url])
  undo.push(node.stop, proxy.stop, close)
  await market.ready()
  const asked = new Set<string>()
  // The logs of a block are answered once its values are asked for.
  proxy.behave({
    change: async ({ method, params }, answer) => {
      const [filter, place] = params as readonly [{ blockHash?: string }, { blockHash?: string }]
      if (method === 'eth_call') asked.add(place.blockHash ?? '')
      if (method === 'eth_getLogs')
        await vi.waitUntil(() => asked.has(filter.blockHash ?? ''), patience)
      return answer
    },
  })
  for (let blocks = 0; blocks < 3; blocks += 1) {
    const [changed] = chain.head().state.pools.values()
    if (changed?.pool.kind !== 'constantProduct') throw new Error('The first pool is no pair')
    const pool = { ...changed.pool, reserve0: changed.pool.reserve0 + 7n }
    const { hash } = chain.mine([{ ...changed, pool } as SimulatedPool])
    await vi.waitFor(() => expect(market.latest(id)?.block.hash).toBe(hash), patience)
    expect(market.latest(id)?.graph.pools).toContainEqual(pool)
  }
})
