import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import {
  type SimulatedNode,
  startSimulatedNode,
} from '#test/support/simulatedNode/startSimulatedNode.ts'
import { readTicks } from './readTicks.ts'

const id = toChainId(990_108)
const state = manyPools(id, { pairs: 1, concentrated: 50, ticksPerPool: 600 })
const chain = createSimulatedChain({ id, state })
const { hash } = chain.head()
const pools = [...state.pools.values()]
  .map(({ pool }) => pool)
  .filter((pool): pool is ConcentratedPool => pool.kind === 'concentrated')
const expected = new Map(pools.map(({ address, ticks }) => [address, ticksOf(ticks)]))

let node: SimulatedNode
let client: ChainClient
beforeAll(async () => {
  node = await startSimulatedNode(chain)
  client = createTestClient({ id, rpcUrls: [node.url] })
})
afterAll(async () => {
  client.close()
  await node.stop()
})

const calls = () => node.calls.filter(({ method }) => method === 'eth_call').length

test('reads the ticks of many pools with few calls', async () => {
  const before = calls()
  expect(await readTicks(client, pools, hash)).toEqual(expected)
  // A pool of spacing 60 has 116 words.
  expect(calls() - before).toBe(2)
})

test('leaves out an address that is no such pool, and still reads the others', async () => {
  const [pair] = [...state.pools.keys()]
  if (pair === undefined) throw new Error('The chain has no pair')
  const before = calls()
  const mixed = [...pools.slice(0, 7), { address: pair, tickSpacing: 60 }, ...pools.slice(7)]
  expect(await readTicks(client, mixed, hash)).toEqual(expected)
  expect(calls() - before).toBeLessThan(40)
})

test('the failure of the node is an error, not a pool without ticks', async () => {
  node.behave({ isDown: true })
  await expect(readTicks(client, pools, hash)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  node.behave({})
})
