import { concatHex, encodeFunctionData, type Hex, multicall3Abi, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { placeMulticall3 } from '#src/devnet/deployment/deployChain.ts'
import { createTestClient, startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { callContracts } from './callContracts.ts'

const echo: Hex = '0x00000000000000000000000000000000000000e1'
const reverting: Hex = '0x00000000000000000000000000000000000000e2'
const burning: Hex = '0x00000000000000000000000000000000000000e3'
const thirsty: Hex = '0x00000000000000000000000000000000000000e4'

/** Returns its calldata. */
const echoCode: Hex = '0x366000600037366000f3'
/** Grows its memory to 320 kB, for 235,000 gas: of the 30 million that a call may spend here. */
const growMemory: Hex = '0x60006205000053'

let chain: TestChain
let proxy: RpcProxy
let client: ChainClient
let multicall3: Hex

beforeAll(async () => {
  chain = await startTestChain()
  multicall3 = await placeMulticall3(chain.anvil)
  await chain.anvil.setCode({ address: echo, bytecode: echoCode })
  await chain.anvil.setCode({ address: thirsty, bytecode: concatHex([growMemory, echoCode]) })
  await chain.anvil.setCode({ address: reverting, bytecode: '0x60006000fd' })
  // INVALID takes all the gas.
  await chain.anvil.setCode({ address: burning, bytecode: '0xfe' })
  await chain.emit()
  proxy = await startRpcProxy(chain.rpcUrl)
  client = createTestClient({ rpcUrls: [proxy.url] })
})
afterEach(() => proxy.behave('pass'))
afterAll(async () => {
  client.close()
  await Promise.all([proxy.stop(), chain.stop()])
})

const latestHash = async (): Promise<Hex> => (await chain.anvil.getBlock()).hash
const ethCalls = () => client.requests().get('eth_call') ?? 0

test('answers each call in order, with as few requests as possible', async () => {
  const calls = Array.from({ length: 1201 }, (_, at) => ({
    to: at % 7 === 3 ? reverting : echo,
    data: numberToHex(at, { size: 4 }),
  }))
  const before = ethCalls()
  expect(await callContracts(client, calls, await latestHash())).toEqual(
    calls.map(({ to, data }) => (to === echo ? data : undefined)),
  )
  expect(ethCalls() - before).toBe(3)
})

test('sends no request for no calls', async () => {
  const before = ethCalls()
  expect(await callContracts(client, [], await latestHash())).toEqual([])
  expect(ethCalls()).toBe(before)
})

test('reads the state of the given block, even after later blocks and reorgs', async () => {
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' })
  const { hash, timestamp } = await chain.anvil.getBlock()
  await chain.emit()
  expect(await callContracts(client, [{ to: multicall3, data }], hash)).toEqual([
    numberToHex(timestamp, { size: 32 }),
  ])
})

test.each([
  [1, 3],
  [1, 6],
  [1, 22],
  [3, 40],
])('%d calls that burn all the gas fail alone among %d', async (burners, count) => {
  const calls = Array.from({ length: count }, (_, at) => ({
    to: at < burners ? burning : thirsty,
    data: numberToHex(at, { size: 4 }),
  }))
  expect(await callContracts(client, calls, await latestHash())).toEqual(
    calls.map(({ to, data }) => (to === thirsty ? data : undefined)),
  )
})

test('reverting calls need no second request', async () => {
  const before = ethCalls()
  const calls = [echo, reverting, reverting].map((to) => ({ to, data: '0x' as const }))
  expect(await callContracts(client, calls, await latestHash())).toEqual([
    '0x',
    undefined,
    undefined,
  ])
  expect(ethCalls() - before).toBe(1)
})

test('a failing RPC does not count as reverting calls', async () => {
  const hash = await latestHash()
  const calls = [{ to: echo, data: '0x12345678' }] as const
  const unknown = `0x${'12'.repeat(32)}` as const
  await expect(callContracts(client, calls, unknown)).rejects.toThrow(RpcRefusedError)
  proxy.behave('cut')
  await expect(callContracts(client, calls, hash)).rejects.toThrow(RpcUnavailableError)
})

test('a chain without Multicall3 does not count as reverting calls', async () => {
  const bare = await startTestChain()
  const bareClient = createTestClient({ rpcUrls: [bare.rpcUrl] })
  try {
    const { hash } = await bare.anvil.getBlock()
    const calls = [{ to: echo, data: '0x12345678' }] as const
    await expect(callContracts(bareClient, calls, hash)).rejects.toThrow(/returned no data/)
  } finally {
    bareClient.close()
    await bare.stop()
  }
})
