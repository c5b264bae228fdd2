import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createTestClient, startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'

/**
 * A chain with one block above the genesis for all tests of a file, behind two RPC proxies. After each test they
 * forward calls again, and the test's clients are closed.
 */
export function useRpcProxies() {
  const clients: ChainClient[] = []
  let started: Readonly<{ chain: TestChain; first: RpcProxy; second: RpcProxy }> | undefined

  beforeAll(async () => {
    const chain = await startTestChain()
    await chain.emit('0x01')
    const [first, second] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)]
    started = { chain, first, second }
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
    started?.first.behave('pass')
    started?.second.behave('pass')
  })
  afterAll(() =>
    Promise.all([started?.chain.stop(), started?.first.stop(), started?.second.stop()]),
  )

  function rig() {
    if (started === undefined) throw new Error('The chain is not up yet')
    return started
  }

  return {
    get chain() {
      return rig().chain
    },
    get first() {
      return rig().first
    },
    get second() {
      return rig().second
    },
    createClient: (...args: Parameters<typeof createTestClient>): ChainClient => {
      const client = createTestClient(...args)
      clients.push(client)
      return client
    },
  }
}
