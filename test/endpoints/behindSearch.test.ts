import { afterEach, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createRangeLimit } from '#src/chains/search/rangeLimit.ts'
import { searchLogs } from '#src/chains/search/searchLogs.ts'
import type { Address } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { constantProductMarket } from '#src/market/kinds/constantProduct/constantProductMarket.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import {
  type NodeFaults,
  startSimulatedNode,
} from '#test/support/simulatedNode/startSimulatedNode.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

const id = toChainId(990_103)

/** A chain that creates a pair in each of its twenty blocks, behind a node with each of these faults. */
async function start(...faults: readonly NodeFaults[]) {
  const state = manyPools(id, { pairs: 20, concentrated: 0 })
  const chain = createSimulatedChain({ id, state: { ...state, pools: new Map() } })
  const pairs = [...state.pools.values()]
  for (const pair of pairs) chain.mine([pair])
  const nodes = await Promise.all(faults.map((each) => startSimulatedNode(chain, each)))
  undo.push(...nodes.map(({ stop }) => stop))
  const client = createTestClient({ id, rpcUrls: nodes.map(({ url }) => url) })
  undo.push(client.close)
  const [pair] = pairs
  if (pair === undefined) throw new Error('The chain has no pair')
  return { nodes, client, factory: pair.factory }
}

/** The blocks in which a search up to block 16 finds a pair. */
async function findBlocks(client: ChainClient, factory: Address) {
  const filter = { address: factory, topics: [constantProductMarket.creationTopic] }
  const range = { from: 1n, to: 16n, height: 20n }
  const options = { limit: createRangeLimit(8n), signal: new AbortController().signal }
  const found: bigint[] = []
  for await (const { logs } of searchLogs(client, { filter, ...range }, options))
    found.push(...logs.map(({ blockNumber }) => blockNumber))
  return found
}

const all = Array.from({ length: 16 }, (_, at) => BigInt(at + 1))

test('an endpoint that is behind is not asked for logs that it does not have', async () => {
  const { client, factory, nodes } = await start({ lagBlocks: 12 }, {})
  expect(await findBlocks(client, factory)).toEqual(all)
  expect(nodes.map(({ calls }) => calls.filter(({ method }) => method === 'eth_getLogs'))).toEqual([
    [],
    [expect.anything(), expect.anything()],
  ])
})

test('waits for logs that no endpoint has yet', async () => {
  const { client, factory, nodes } = await start({ lagBlocks: 12 })
  await expect(findBlocks(client, factory)).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
    message: 'No RPC endpoint of chain 990103 has block 8 yet.',
  })
  nodes[0]?.behave({})
  expect(await findBlocks(client, factory)).toEqual(all)
})

test('nodes behind one URL that differ by a few blocks hide no logs', async () => {
  const { client, factory, nodes } = await start({ lagBlocks: 2, secondLagBlocks: 4 })
  await expect(findBlocks(client, factory)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  await client.getChainId()
  await expect(findBlocks(client, factory)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  nodes[0]?.behave({})
  expect(await findBlocks(client, factory)).toEqual(all)
})
