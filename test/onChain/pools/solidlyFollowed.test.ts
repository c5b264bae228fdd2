import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { type Exchange, startExchange } from './exchange.ts'
import { followPools, headBlock } from './followedPools.ts'
import { createSolidlyPools, type SolidlyPools } from './solidlyPools.ts'

let exchange: Exchange
let client: ChainClient
let solidly: SolidlyPools

beforeAll(async () => {
  exchange = await startExchange([6, 6, 8, 18, 18])
  client = createTestClient({ rpcUrls: [exchange.rpcUrl], id: exchange.chainId })
  solidly = await createSolidlyPools(exchange)
})

afterAll(async () => {
  client?.close()
  await exchange?.stop()
})

const start = () =>
  followPools(exchange, client, {
    factory: {
      kind: 'solidly',
      source: 'aerodrome',
      factory: solidly.factory,
      fromBlock: 0n,
      pairs: [],
    },
    read: () => solidly.read(client),
  })

test('reads fees and pauses without an event at each block, and at the parent after a reorg', async () => {
  const { client: anvil, queue } = exchange
  const { pools, take, graph, onChain, differences } = await start()
  const first = graph()
  expect(first).toEqual(await onChain())
  expect(first).toHaveLength(20)

  const snapshot = await anvil.snapshot()
  solidly.call('setFee', [false, 44n])
  solidly.call('setCustomFee', [first[0]?.address, 12n])
  solidly.call('setPauseState', [true])
  solidly.gift(first[1]?.address ?? '0x', 5n ** 9n)
  await queue.flush()
  const changed = await take()
  expect(graph()).toEqual(await onChain())
  expect(graph()[0]?.fee).toBe(1_200)
  expect(graph().filter(({ fee }) => fee === 4_400).length).toBeGreaterThan(3)
  expect(graph()[1]).not.toMatchObject({
    reserve0: first[1]?.kind === 'solidly' && first[1].reserve0,
  })

  pools.undo([changed])
  await anvil.revert({ id: snapshot })
  expect(graph()).toEqual(first)
  await anvil.mine({ blocks: 1 })
  await take()
  expect(graph()).toEqual(await onChain())
  expect(graph()).toEqual(first)
  expect(differences()).toBe(0)
})

test('a pool whose factory does not answer at a block is not used until it is read again', async () => {
  const { pools, graph, onChain } = await start()
  const block = await headBlock(exchange)
  pools.apply({ ...block, number: block.number + 1n, parentHash: block.hash, logs: [] })
  const { readings, commit } = pools.unlogged()
  commit(readings.map(({ conclude, reads }) => conclude(reads.map(() => undefined))))
  expect(graph()).toEqual([])
  expect(pools.hasUnread()).toBe(true)
  await pools.refresh()
  expect(graph()).toEqual(await onChain())
})
