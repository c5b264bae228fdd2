import { afterEach, expect, test, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { patience } from '#test/support/patience.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_105)

test('a pool that a reorg removed is in the market again once it is created again', async () => {
  const full = manyPools(id, { pairs: 3, concentrated: 0 })
  const [created, ...others] = [...full.pools.values()]
  if (created === undefined) throw new Error('The state has no pool')
  const old = new Map(others.map((each) => [each.pool.address, each]))
  const chain = createSimulatedChain({ id, state: { ...full, pools: old }, finalityBlocks: 8 })
  chain.mine()
  const node = await startSimulatedNode(chain)
  const { market, lines, close } = startSimulatedMarket(
    chain,
    [node.url],
    // No comparison brings the pool back.
    { verifyEverySeconds: 86_400 },
    { followed: full },
  )
  undo.push(node.stop, close)
  const poolsAtHead = () => {
    const { block, graph } = market.latest(id) ?? {}
    return block?.hash === chain.head().hash ? graph?.pools : undefined
  }
  await vi.waitUntil(() => poolsAtHead()?.length === 2, patience)
  chain.mine([created])
  await vi.waitUntil(() => poolsAtHead()?.length === 3, patience)

  chain.reorg(1)
  const isGivenUp = () => lines.some(({ msg }) => msg.startsWith('Cannot read a pool'))
  // It is read once a block, until it is given up.
  while (!isGivenUp()) {
    const reads = node.calls.length
    chain.mine()
    await vi.waitUntil(() => poolsAtHead()?.length === 2 && node.calls.length > reads, patience)
  }
  chain.mine([created])
  await vi.waitUntil(() => poolsAtHead()?.length === 3, patience)
  expect(poolsAtHead()).toContainEqual(created.pool)
})
