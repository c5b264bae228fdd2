import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChainClient, createChainClient } from '#src/chains/chainClient.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { type Anvil, startAnvil } from '#src/devnet/anvilProcess.ts'
import { nativeAddress } from '#src/units/address.ts'
import { toChainId } from '#src/units/chainId.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/chains/rpcProxy.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createTrials } from './transactionSimulator.ts'

const chainId = toChainId(990001)

let anvil: Anvil
let proxy: RpcProxy
let client: ChainClient
beforeAll(async () => {
  anvil = await startAnvil({ chainId })
  proxy = await startRpcProxy(anvil.rpcUrl)
  client = createChainClient(
    {
      id: chainId,
      displayName: 'Test',
      rpcUrls: [proxy.url],
      wsUrl: undefined,
      nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
      multicall3: nativeAddress,
    },
    silentLog,
    { timeoutSeconds: 600 },
  )
})
afterAll(async () => {
  client.close()
  await proxy.stop()
  await anvil.stop()
})

const trial = { from: users[0].address, to: solver.address, data: '0x', value: 1n } as const

it('does without a node that never answers, long before its request ends', async () => {
  const clients = new Map([[chainId, client]])
  expect(await createTrials(clients).gasOf({ chainId, ...trial })).toBe(25_200n)
  const trials = createTrials(clients, { patienceSeconds: 0.1 })
  proxy.behave('hang')
  expect(await trials.gasOf({ chainId, ...trial })).toBeUndefined()
  expect(await trials.simulate(chainId, [trial])).toBeUndefined()
  await expect(trials.fails({ chainId, ...trial })).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
  })
  expect(proxy.hanging.size).toBeGreaterThan(0)
})
