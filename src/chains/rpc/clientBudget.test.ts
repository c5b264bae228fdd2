import { zeroAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { recordLog } from '#test/support/chains/testChain.ts'
import type { Behaviour, RpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { useRpcProxies } from '#test/support/nodes/useRpcProxies.ts'
import { patience } from '#test/support/patience.ts'
import { RpcRefusedError } from './rpcError.ts'

const rig = useRpcProxies()

const rateLimited = (retryAfter: string): Behaviour => ({
  body: '{"jsonrpc":"2.0","id":1,"error":{"code":429,"message":"request rate limited"}}',
  status: 429,
  headers: { 'retry-after': retryAfter },
})

test('an endpoint that refuses for its rate limit is asked later, without another check of its chain id', async () => {
  const { log, lines } = recordLog()
  const client = rig.createClient({ rpcUrls: [rig.first.url] }, log)
  await client.getBlockNumber()
  const calls = rig.first.calls.length
  rig.first.behave(rateLimited('0'))
  const waiting = Promise.all(Array.from({ length: 5 }, () => client.getGasPrice()))
  await vi.waitUntil(() => rig.first.calls.length >= calls + 5, patience)
  rig.first.behave('pass')
  expect(await waiting).toHaveLength(5)
  expect(rig.first.calls.slice(calls).map(({ method }) => method)).not.toContain('eth_chainId')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'Rate limited by RPC endpoint; slowing down',
    ...Array(lines.length - 1).fill('Rate limited by RPC endpoint; slowing down'),
  ])
  const [usage] = client.usage()
  expect(usage?.budget?.refusals[0]).toMatchObject({ method: 'eth_gasPrice', reason: 'rateLimit' })
  expect(client.endpoints[0]?.isBackingOff()).toBe(false)
})

test('while an endpoint backs off, the next one answers, and reads of the head do not wait', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] })
  await client.getBlockNumber()
  rig.first.behave(rateLimited('60'))
  await client.getBlockNumber()
  const calls = rig.first.calls.length
  for (let count = 0; count < 5; count += 1) await client.getBlockNumber()
  expect(rig.first.calls.length).toBe(calls)
})

test('a second endpoint gets a request of the newest block when the first one is slow', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url] }, undefined, 60)
  // The first request checks the second endpoint as well.
  rig.first.behave('cut')
  await client.getBlockNumber()
  rig.first.behave('pass')
  await vi.waitUntil(async () => {
    const before = rig.first.calls.length
    await client.getBlockNumber()
    return rig.first.calls.at(-1)?.method === 'eth_blockNumber' && rig.first.calls.length > before
  }, patience)
  rig.first.behave('hang')
  expect(await client.getBlockNumber()).toBeGreaterThan(0n)
  expect(rig.first.hanging.size).toBe(1)
  // Others wait for the first: they may not cost a second request.
  const asked = rig.second.calls.length
  const background = client.withPriority('background').getBalance({ address: zeroAddress })
  await vi.waitUntil(() => rig.first.hanging.size === 2, patience)
  expect(rig.second.calls.length).toBe(asked)
  for (const response of rig.first.hanging) response.destroy()
  await background
})

test('signed transactions go to the endpoints for sending alone', async () => {
  const client = rig.createClient({ rpcUrls: [rig.first.url], sendUrls: [rig.second.url] })
  const raw = { method: 'eth_sendRawTransaction', params: ['0x02'] }
  await client.ask(raw, String).catch(() => undefined)
  await client.getBlockNumber()
  const methods = ({ calls }: RpcProxy) => new Set(calls.map(({ method }) => method))
  expect(methods(rig.first)).not.toContain('eth_sendRawTransaction')
  expect(rig.second.calls.at(-1)?.method).toBe('eth_sendRawTransaction')
  expect(client.endpoints).toHaveLength(1)
})

test('a range of blocks above the limit costs no request, and another endpoint may take it', async () => {
  const rpcLimits = new Map([[rig.first.url, { maxLogBlocks: 1 }]])
  const alone = rig.createClient({ rpcUrls: [rig.first.url], rpcLimits })
  const logs = { fromBlock: 0n, toBlock: 1n }
  await expect(alone.getLogs(logs)).rejects.toThrow(RpcRefusedError)
  expect(rig.first.calls.map(({ method }) => method).at(-1)).not.toBe('eth_getLogs')
  const both = rig.createClient({ rpcUrls: [rig.first.url, rig.second.url], rpcLimits })
  await both.getLogs(logs)
  expect(rig.second.calls.at(-1)?.method).toBe('eth_getLogs')
})
