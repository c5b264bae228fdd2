import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import {
  createTestClient,
  recordLog,
  startTestChain,
  type TestChain,
} from '#test/support/chains/testChain.ts'
import { changeResult, type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'

let chain: TestChain
let proxy: RpcProxy
const clients: ChainClient[] = []

beforeAll(async () => {
  chain = await startTestChain()
  proxy = await startRpcProxy(chain.rpcUrl)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  proxy.behave('pass')
  vi.useRealTimers()
})
afterAll(() => Promise.all([chain.stop(), proxy.stop()]))

function createClient(log: ReturnType<typeof recordLog>['log']): ChainClient {
  const client = createTestClient({ rpcUrls: [proxy.url] }, log)
  clients.push(client)
  return client
}

/** Seconds of each backoff that was logged. */
const backoffsIn = (lines: ReturnType<typeof recordLog>['lines']): unknown[] =>
  lines.filter(({ msg }) => msg.endsWith('backing off')).map(({ backoffSeconds }) => backoffSeconds)

test('a failed request from before the last good check does not lengthen the backoff', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { log, lines } = recordLog()
  const client = createClient(log)
  await client.getBlockNumber()
  proxy.behave('hang')
  let settled = 0
  const reads = Array.from({ length: 5 }, () =>
    client.getBalance({ address: zeroAddress }).finally(() => {
      settled += 1
    }),
  )
  const outcomes = Promise.allSettled(reads)
  await vi.waitUntil(() => proxy.hanging.size === 5, patience)
  proxy.behave('pass')
  for (const [at, response] of [...proxy.hanging].entries()) {
    response.destroy()
    await vi.waitUntil(() => settled > at, patience)
    // The endpoint passes its check, and the backoff is over before the next failure.
    await client.getBlockNumber()
    vi.setSystemTime(Date.now() + 5_000)
  }
  await outcomes
  expect(backoffsIn(lines)).toEqual([1])
})

test('failures lengthen the backoff only once it is over', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { log, lines } = recordLog()
  const client = createClient(log)
  await client.getBlockNumber()
  // The check of the chain id passes, everything else fails.
  proxy.behave(changeResult('eth_getBalance', () => 'none'))
  const read = () => client.getBalance({ address: zeroAddress }).catch(() => undefined)
  for (let count = 0; count < 5; count += 1) await read()
  expect(backoffsIn(lines)).toEqual([1])
  for (const seconds of [1, 2, 4]) {
    vi.setSystemTime(Date.now() + seconds * 1_000)
    await read()
  }
  expect(backoffsIn(lines)).toEqual([1, 2, 4, 8])
})
