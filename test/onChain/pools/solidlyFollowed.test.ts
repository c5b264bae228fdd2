import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createChainPools } from '#src/market/pools/chainPools.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/discoveredPool.ts'
import type { Factory } from '#src/market/pools/kinds/kinds.ts'
import { createFactoryRefusals } from '#src/market/pools/verification/factoryRefusals.ts'
import { readTogether } from '#src/market/reads/reading.ts'
import { poolsOf } from '#src/pricing/router/graph.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { type Exchange, startExchange } from './exchange.ts'
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

const silent = () => undefined
const log = { debug: silent, info: silent, warn: silent, error: silent }

/** The head, as the follower of the chain tells it. */
async function headBlock(): Promise<FollowedBlock> {
  const { hash, number, parentHash, timestamp, baseFeePerGas } = await exchange.client.getBlock()
  const logs = await exchange.client.getLogs({ blockHash: hash })
  return {
    hash,
    number,
    parentHash,
    timestamp,
    baseFeePerGas: baseFeePerGas ?? null,
    gas: null,
    logs,
  }
}

/** The market's pools of the factory at the head, all of whose currencies count as checked. */
async function start() {
  const { factory } = solidly
  const named: Factory = {
    ...{ kind: 'solidly', source: 'aerodrome', factory, fromBlock: 0n, pairs: [] },
  }
  const chain = {
    ...{ id: exchange.chainId, displayName: 'Test', factories: [named] },
    ...{ finalityDepth: 64, verifyEverySeconds: 600 },
  }
  let differences = 0
  const pools = createChainPools(
    {
      ...{ client, log, now: () => 0, onVerified: silent },
      checks: {
        isAccepted: () => true,
        refusals: () => new Map(),
        forget: silent,
        check: async () => false,
      },
      refusals: createFactoryRefusals({ client, log }, chain),
      onDifference: () => {
        differences += 1
      },
    },
    chain,
  )
  const logs = await exchange.client.getLogs({ address: factory, fromBlock: 0n })
  pools.add(parsePoolCreations(named, logs))
  const take = async () => {
    const block = await headBlock()
    pools.apply(block)
    const { readings, settle } = pools.unlogged()
    settle(await readTogether(client, readings, block.hash))
    return block
  }
  await take()
  await pools.refresh()
  const graph = () => poolsOf(pools.graph())
  const onChain = async () => (await solidly.read(client)).toSorted(byAddress)
  return { pools, take, graph, onChain, differences: () => differences }
}

const byAddress = (one: { address: string }, other: { address: string }) =>
  one.address < other.address ? -1 : 1

test('fees and pauses that no event tells are those of each block, and of the parent after a reorg', async () => {
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
  const block = await headBlock()
  pools.apply({ ...block, number: block.number + 1n, parentHash: block.hash, logs: [] })
  const { readings, settle } = pools.unlogged()
  settle(readings.map(({ conclude, reads }) => conclude(reads.map(() => undefined))))
  expect(graph()).toEqual([])
  expect(pools.hasUnread()).toBe(true)
  await pools.refresh()
  expect(graph()).toEqual(await onChain())
})
