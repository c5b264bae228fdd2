import { type Hex, pad } from 'viem'
import { expect, it, vi } from 'vitest'
import { createMemorySearches, type SearchStore } from '#src/chains/search/searchStore.ts'
import type { Log } from '#src/config/log.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { constantProductMarket } from '#src/market/kinds/constantProduct/constantProductMarket.ts'
import { patience } from '#test/support/chains/useMarketChain.ts'
import { createLoggingNode } from '#test/support/nodes/loggingNode.ts'
import { Discovery } from './discoverPools.ts'

const silent = () => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }

const addressOf = (digits: string) => toAddress(pad(`0x${digits}`, { size: 20 }))
const factory = addressOf('fac')
const topic = constantProductMarket.creationTopic

/** The log of a pair that its factory created in this block. */
const pairIn = (block: bigint) => ({
  address: factory,
  block,
  topics: [topic, pad('0x01'), pad('0x02')] as Hex[],
  data: `${pad(`0x${(0x1000n + block).toString(16)}`)}${'0'.repeat(64)}` as Hex,
})

const startOf = (head: bigint, blocks: readonly bigint[]) =>
  createLoggingNode(blocks.map(pairIn), { head })

type Node = ReturnType<typeof startOf>

const discover = ({ client }: Pick<Node, 'client'>, store: SearchStore, fromBlock = 0n) =>
  new Discovery(
    { client, log, store, now: () => 0 },
    {
      id: toChainId(1),
      displayName: 'Ether',
      finalityDepth: 10,
      factories: [
        {
          kind: 'constantProduct',
          source: 'uniswap-v2',
          factory,
          fromBlock,
          fee: toPips(3_000),
          pairs: [],
        },
      ],
    },
  )

const going = new AbortController().signal

it('goes on from its position after an outage, and reads no range twice', async () => {
  const chain = startOf(20_010n, [500n, 7_000n, 19_999n])
  chain.node.answersLeft = 5
  const discovery = discover(chain, createMemorySearches())
  const prepared = discovery.prepare(going)
  await vi.waitUntil(() => chain.answered.length === 5, patience)
  chain.node.answersLeft = Number.POSITIVE_INFINITY
  await prepared
  expect(discovery.foundCount()).toBe(3)
  const starts = chain.answered.map(({ from }) => from)
  expect(new Set(starts).size).toBe(starts.length)
  expect(chain.answered.at(-1)?.to).toBe(20_000n)
})

it('starts from the stored search of an earlier process, with its range limit, and reads only new blocks', async () => {
  const store = createMemorySearches()
  const before = startOf(20_010n, [500n, 7_000n])
  await discover(before, store).prepare(going)
  const after = startOf(23_010n, [500n, 7_000n, 20_500n])
  const discovery = discover(after, store)
  await discovery.prepare(going)
  expect(discovery.foundCount()).toBe(3)
  expect(after.refused).toEqual([])
  expect(after.answered[0]?.from).toBe(20_001n)
})

it('stores no block that is not final', async () => {
  const store = createMemorySearches()
  const chain = startOf(5_010n, [5_005n])
  const discovery = discover(chain, store)
  await discovery.prepare(going)
  expect(discovery.foundCount()).toBe(0)
  expect(chain.answered.every(({ to }) => to <= 5_000n)).toBe(true)
})

it('two processes on one store search once', async () => {
  const alone = startOf(20_010n, [500n])
  await discover(alone, createMemorySearches()).prepare(going)
  const shared = startOf(20_010n, [500n])
  const store = createMemorySearches()
  const both = [discover(shared, store), discover(shared, store)]
  await Promise.all(both.map((each) => each.prepare(going)))
  expect(both.map((each) => each.foundCount())).toEqual([1, 1])
  expect(shared.answered).toEqual(alone.answered)
})

it('starts over if a searched final block is gone, or if the factory is older than the stored start', async () => {
  const store = createMemorySearches()
  await discover(startOf(5_010n, [500n]), store, 400n).prepare(going)
  const older = startOf(5_010n, [300n, 500n])
  const discovery = discover(older, store, 200n)
  await discovery.prepare(going)
  expect(discovery.foundCount()).toBe(2)
  const other = startOf(6_010n, [700n])
  Object.assign(other.node, { forkedAbove: 600n, branch: 'other' })
  const restarted = discover(other, store, 200n)
  await restarted.prepare(going)
  expect(other.answered[0]?.from).toBe(200n)
  expect(restarted.foundCount()).toBe(1)
})

it('a node that lags behind the stored search costs nothing', async () => {
  const store = createMemorySearches()
  await discover(startOf(20_010n, [500n]), store).prepare(going)
  const lagging = startOf(19_000n, [500n])
  const discovery = discover(lagging, store)
  await discovery.prepare(going)
  expect(discovery.foundCount()).toBe(1)
  expect(lagging.answered).toEqual([])
})

it('searches again if the database has lost logs', async () => {
  const store = createMemorySearches()
  await discover(startOf(5_010n, [500n, 600n]), store).prepare(going)
  let isLosing = true
  const losing: SearchStore = {
    ...store,
    foundLogs: async (...args) => (await store.foundLogs(...args)).slice(isLosing ? 1 : 0),
    forgetSearch: async (search) => {
      isLosing = false
      await store.forgetSearch(search)
    },
  }
  const discovery = discover(startOf(5_010n, [500n, 600n]), losing)
  await discovery.prepare(going)
  expect(discovery.foundCount()).toBe(2)
})

it('reports its progress while it searches, and nothing once it is done', async () => {
  const chain = startOf(9_999n, [500n])
  chain.node.finalDepth = 0n
  chain.node.answersLeft = 5
  const discovery = discover(chain, createMemorySearches())
  const prepared = discovery.prepare(going)
  await vi.waitUntil(() => chain.answered.length === 5, patience)
  await vi.waitFor(() => {
    const { searchedBlocks, totalBlocks, pools } = discovery.progress() ?? {}
    expect({ searchedBlocks, totalBlocks, pools }).toEqual({
      searchedBlocks: 5_000n,
      totalBlocks: 10_000n,
      pools: 1,
    })
  }, patience)
  chain.node.answersLeft = Number.POSITIVE_INFINITY
  await prepared
  expect(discovery.progress()).toBeUndefined()
})
