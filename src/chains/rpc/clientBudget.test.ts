import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  createTestClient,
  recordLog,
  startTestChain,
  type TestChain,
} from '#test/support/chains/testChain.ts'
import { type Behaviour, type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import type { ChainClient } from './chainClient.ts'
import { RpcRefusedError } from './rpcError.ts'

let chain: TestChain
let first: RpcProxy
let second: RpcProxy
const clients: ChainClient[] = []

beforeAll(async () => {
  chain = await startTestChain()
  await chain.emit('0x01')
  first = await startRpcProxy(chain.rpcUrl)
  second = await startRpcProxy(chain.rpcUrl)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  first.behave('pass')
  second.behave('pass')
})
afterAll(() => Promise.all([chain.stop(), first.stop(), second.stop()]))

const createClient = (...args: Parameters<typeof createTestClient>): ChainClient => {
  const client = createTestClient(...args)
  clients.push(client)
  return client
}

const rateLimited = (retryAfter: string): Behaviour => ({
  body: '{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"request rate limited"}}',
  status: 429,
  headers: { 'retry-after': retryAfter },
})

test('an endpoint that is asked too often is asked later, without another check of its chain id', async () => {
  const { log, lines } = recordLog()
  const client = createClient({ rpcUrls: [first.url] }, log)
  await client.getBlockNumber()
  const calls = first.calls.length
  first.behave(rateLimited('0'))
  const waiting = Promise.all(Array.from({ length: 5 }, () => client.getGasPrice()))
  await vi.waitUntil(() => first.calls.length >= calls + 5, patience)
  first.behave('pass')
  expect(await waiting).toHaveLength(5)
  expect(first.calls.slice(calls).map(({ method }) => method)).not.toContain('eth_chainId')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'RPC endpoint is asked too often; asks it less',
    ...Array(lines.length - 1).fill('RPC endpoint is asked too often; asks it less'),
  ])
  const [usage] = client.usage()
  expect(usage?.budget?.refusals[0]).toMatchObject({ method: 'eth_gasPrice', reason: 'rateLimit' })
  expect(client.endpoints[0]?.isBackingOff()).toBe(false)
})

test('while an endpoint rests, the next one answers, and the head is not kept waiting', async () => {
  const client = createClient({ rpcUrls: [first.url, second.url] })
  await client.getBlockNumber()
  first.behave(rateLimited('60'))
  await client.getBlockNumber()
  const calls = first.calls.length
  for (let count = 0; count < 5; count += 1) await client.getBlockNumber()
  expect(first.calls.length).toBe(calls)
})

test('what the newest block waits for is asked of a second endpoint when the first is slow', async () => {
  const client = createClient({ rpcUrls: [first.url, second.url] }, undefined, 60)
  // The first request checks the second endpoint as well.
  first.behave('cut')
  await client.getBlockNumber()
  first.behave('pass')
  await vi.waitUntil(async () => {
    const before = first.calls.length
    await client.getBlockNumber()
    return first.calls.at(-1)?.method === 'eth_blockNumber' && first.calls.length > before
  }, patience)
  first.behave('hang')
  expect(await client.getBlockNumber()).toBeGreaterThan(0n)
  expect(first.hanging.size).toBe(1)
  // Others wait for the first: they may not cost a second request.
  const asked = second.calls.length
  const background = client.withPriority('background').getBalance({ address: zeroAddress })
  await vi.waitUntil(() => first.hanging.size === 2, patience)
  expect(second.calls.length).toBe(asked)
  for (const response of first.hanging) response.destroy()
  await background
})

test('signed transactions go to the endpoints for sending alone', async () => {
  const client = createClient({ rpcUrls: [first.url], sendUrls: [second.url] })
  const raw = { method: 'eth_sendRawTransaction', params: ['0x02'] }
  await client.ask(raw, String).catch(() => undefined)
  await client.getBlockNumber()
  const methods = ({ calls }: RpcProxy) => new Set(calls.map(({ method }) => method))
  expect(methods(first)).not.toContain('eth_sendRawTransaction')
  expect(second.calls.at(-1)?.method).toBe('eth_sendRawTransaction')
  expect(client.endpoints).toHaveLength(1)
})

test('a range of blocks above the limit costs no request, and another endpoint may take it', async () => {
  const rpcLimits = new Map([[first.url, { maxLogBlocks: 1 }]])
  const alone = createClient({ rpcUrls: [first.url], rpcLimits })
  const logs = { fromBlock: 0n, toBlock: 1n }
  await expect(alone.getLogs(logs)).rejects.toThrow(RpcRefusedError)
  expect(first.calls.map(({ method }) => method).at(-1)).not.toBe('eth_getLogs')
  const both = createClient({ rpcUrls: [first.url, second.url], rpcLimits })
  await both.getLogs(logs)
  expect(second.calls.at(-1)?.method).toBe('eth_getLogs')
})
