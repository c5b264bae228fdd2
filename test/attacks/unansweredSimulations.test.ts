import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { signPayment } from '#test/support/rigs/signedPayment.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

/** The first chain's client, whose nodes answer no simulation of a call that `isSlow`, as one that takes them too long. */
function slowOn(isSlow: (data: string) => boolean): ChainClient {
  const client = rig.clientOn(ethereum)
  const ask: ChainClient['ask'] = async (request, ...rest) => {
    const [call] = request.params as readonly [Readonly<{ data?: string }>?]
    if (request.method === 'eth_estimateGas' && isSlow(call?.data ?? ''))
      throw new RpcUnavailableError(rig.chainOf(ethereum))
    return client.ask(request, ...rest)
  }
  return { ...client, ask }
}

it('a fill whose simulation no node answers does not stop other fills', async () => {
  const change = () => ({ amount: 10n ** 17n, recipient: newAccount(), refundTo: newAccount() })
  const quoteOf = () => rig.quote([rollup, 'ETH'], [ethereum, 'ETH'], change())
  const [slow, honest] = [await quoteOf(), await quoteOf()]
  const name = slow.orderId.slice(2)
  await rig.depositAll([slow, honest])
  solve(ethereum, { client: slowOn((data) => data.includes(name)) })
  expect((await rig.outcome(honest.requestId)).state.status).toBe('success')
  expect((await rig.find(slow.requestId)).state.status).toBe('pending')
})

it('a signed payment whose simulation no node answers does not stop other payments', async () => {
  const [first, second] = [await signPayment(rig), await signPayment(rig)]
  const [slow, honest] = [first.request, second.request]
  const name = slow.requestId.slice(2)
  solve(ethereum, { client: slowOn((data) => data.includes(name)) })
  await vi.waitUntil(
    async () => (await rig.store.transactionsOf(honest.requestId)).length > 0,
    patience,
  )
  expect(await rig.store.transactionsOf(slow.requestId)).toEqual([])
})
