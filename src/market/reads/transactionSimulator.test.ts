import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCallGate, NodesBusyError } from '#src/chains/rpc/callGate.ts'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { type Anvil, createAnvilClient, startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createTransactionSimulator } from './transactionSimulator.ts'

const chainId = toChainId(990001)
const gatesOf = (maxRunning: number, maxWaiting: number) =>
  new Map([
    [chainId, createCallGate(() => new NodesBusyError(chainId), { maxRunning, maxWaiting })],
  ])
const gates = { estimates: gatesOf(8, 8), reads: gatesOf(8, 8) }

const described = {
  id: chainId,
  displayName: 'Test',
  wsUrl: undefined,
  nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
  multicall3: toAddress('0xca11bde05977b3631167028862be2a173976ca11'),
}

let anvil: Anvil
let proxy: RpcProxy
let client: ChainClient
beforeAll(async () => {
  anvil = await startAnvil({ chainId })
  proxy = await startRpcProxy(anvil.rpcUrl)
  client = createChainClient({ ...described, rpcUrls: [proxy.url] }, silentLog, {
    timeoutSeconds: 600,
  })
})
afterAll(async () => {
  client.close()
  await proxy.stop()
  await anvil.stop()
})

const transaction = { from: users[0].address, to: solver.address, data: '0x', value: 1n } as const

it('estimates a step of a quote, whose fees are no part of the simulation', async () => {
  const simulator = createTransactionSimulator(new Map([[chainId, client]]), gates)
  const step = { ...transaction, chainId, maxFeePerGas: 10n ** 30n, maxPriorityFeePerGas: 1n }
  expect(await simulator.estimateGas(step)).toBe(25_200n)
  const [outcome] = (await simulator.simulate(chainId, [step])) ?? []
  expect(outcome).toMatchObject({ succeeds: true })
})

it('gives up on a node that never answers before the deadline of the request', async () => {
  const clients = new Map([[chainId, client]])
  expect(
    await createTransactionSimulator(clients, gates).estimateGas({ chainId, ...transaction }),
  ).toBe(25_200n)
  const simulator = createTransactionSimulator(clients, gates, { deadlineSeconds: 0.1 })
  proxy.behave('hang')
  expect(await simulator.estimateGas({ chainId, ...transaction })).toBeUndefined()
  expect(await simulator.simulate(chainId, [transaction])).toBeUndefined()
  await expect(simulator.wouldRevert({ chainId, ...transaction })).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
  })
  expect(proxy.hanging.size).toBeGreaterThan(0)
})

it('limits concurrent requests of callers, and reserves the requests that quotes need', async () => {
  proxy.behave('hang')
  const narrow = { estimates: gatesOf(2, 1), reads: gatesOf(1, 0) }
  const simulator = createTransactionSimulator(new Map([[chainId, client]]), narrow, {
    deadlineSeconds: 0.5,
  })
  const before = proxy.calls.length
  const estimates = Array.from({ length: 50 }, () =>
    simulator.estimateGas({ chainId, ...transaction }),
  )
  const needed = simulator.simulate(chainId, [transaction])
  await expect(simulator.simulate(chainId, [transaction])).rejects.toMatchObject({
    code: 'OVERLOADED',
    data: { retryAfterSeconds: 1 },
  })
  await expect(simulator.wouldRevert({ chainId, ...transaction })).rejects.toMatchObject({
    code: 'OVERLOADED',
  })
  expect(new Set(await Promise.all(estimates))).toEqual(new Set([undefined]))
  expect(await needed).toBeUndefined()
  const asked = proxy.calls.slice(before).map(({ method }) => method)
  expect(asked.filter((method) => method === 'eth_estimateGas').length).toBeLessThanOrEqual(3)
  expect(asked).toContain('eth_simulateV1')
})

describe('EIP-7702', () => {
  // CHAINID, MSTORE at 0, RETURN of 32 bytes: the only answer of Multicall3 that is asked for.
  const bytecode = '0x465f5260205ff3'

  async function simulatorOn(options: readonly string[]) {
    const node = await startAnvil({ chainId, options })
    const on = createChainClient({ ...described, rpcUrls: [node.rpcUrl] }, silentLog)
    await createAnvilClient(node.rpcUrl).setCode({ address: described.multicall3, bytecode })
    const stop = async () => {
      on.close()
      await node.stop()
    }
    return { ...createTransactionSimulator(new Map([[chainId, on]]), gates), stop }
  }

  it.each([
    ['prague', true],
    ['cancun', false],
  ] as const)(
    'detects by a simulation whether a chain applies authorizations: %s',
    async (hardfork, expected) => {
      const { supportsAuthorizations, readAuthorities, stop } = await simulatorOn([
        '--hardfork',
        hardfork,
      ])
      expect(await supportsAuthorizations(chainId)).toBe(expected)
      const [user] = users
      expect(await readAuthorities(chainId, [user.address, described.multicall3])).toEqual([
        { nonce: 0, code: '0x' },
        { nonce: 0, code: bytecode },
      ])
      await stop()
    },
  )
})
