import { encodeFunctionData, numberToHex } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { uniswapV2PairAbi } from '#src/protocol/contracts/abis.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'
import { patience } from '#test/support/patience.ts'
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

const id = toChainId(990_102)

/** A chain of ten blocks, behind a node with these faults and a client. */
async function start(faults: NodeFaults) {
  const chain = createSimulatedChain({ id, state: manyPools(id, { pairs: 1, concentrated: 0 }) })
  for (let height = 1; height <= 10; height += 1) chain.mine()
  const node = await startSimulatedNode(chain, faults)
  undo.push(node.stop)
  const client = createTestClient({ id, rpcUrls: [node.url], wsUrl: node.wsUrl })
  undo.push(client.close)
  const [pair] = chain.head().state.pools.values()
  if (pair === undefined) throw new Error('The chain has no pair')
  return { chain, node, client, pair }
}

test('the client learns and remembers the limit of the range of eth_getLogs', async () => {
  const { node, client } = await start({ maxLogBlocks: 4 })
  expect(await client.getLogs({ fromBlock: 1n, toBlock: 4n })).toEqual([])
  const tooLong = () => client.getLogs({ fromBlock: 1n, toBlock: 5n })
  await expect(tooLong()).rejects.toThrow(RpcRefusedError)
  const asked = node.calls.length
  await expect(tooLong()).rejects.toThrow(RpcRefusedError)
  expect(node.calls.length).toBe(asked)
  expect(client.usage()[0]?.budget?.maxLogBlocks).toBe(4)
})

test('old state is pruned', async () => {
  const { chain, client, pair } = await start({ statesKept: 3 })
  const data = encodeFunctionData({ abi: uniswapV2PairAbi, functionName: 'getReserves' })
  const readAt = (height: number) =>
    client.call({ to: pair.pool.address, data, blockHash: chain.at(height)?.hash ?? '0x' })
  expect((await readAt(8)).data).toMatch(/^0x0/)
  await expect(readAt(7)).rejects.toMatchObject({ reason: expect.stringContaining('missing trie') })
})

test('nodes lag, and two behind one URL differ', async () => {
  const { node, client } = await start({ lagBlocks: 2 })
  expect(await client.getBlockNumber()).toBe(8n)
  node.behave({ secondLagBlocks: 1 })
  const heights = [await client.getBlockNumber(), await client.getBlockNumber()]
  expect(heights.sort()).toEqual([10n, 9n].sort())
})

test('connections are cut, always or sometimes', async () => {
  const { node, client } = await start({ failsOneIn: 3 })
  for (let count = 0; count < 2; count += 1) expect(await client.getBlockNumber()).toBe(10n)
  // The third call was cut: the endpoint was checked, and asked again.
  expect(node.calls.map(({ method }) => method.slice(4))).toEqual([
    ...['chainId', 'blockNumber', 'blockNumber', 'chainId', 'blockNumber'],
  ])
  node.behave({ isDown: true })
  await expect(client.getBlockNumber()).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('new blocks are announced, and a reorg replaces the last ones', async () => {
  const { chain, node, client } = await start({})
  const heads: bigint[] = []
  client.onHead((number) => number !== undefined && heads.push(number))
  await vi.waitUntil(() => node.calls.some(({ method }) => method === 'eth_subscribe'), patience)
  const before = chain.mine()
  await vi.waitFor(() => expect(heads).toEqual([11n]), patience)
  chain.reorg(2)
  const after = await client.getBlock()
  expect(after.number).toBe(11n)
  expect(after.hash).not.toBe(before.hash)
  expect((await client.getBlock({ blockNumber: 9n })).hash).toBe(chain.at(9)?.hash)
  const old = { method: 'eth_getBlockByHash', params: [before.hash, false] }
  expect(await client.ask(old, (block) => (block as { number: string }).number)).toBe(
    numberToHex(11),
  )
})
