import { parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
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

/** EIP-7825: no block includes a transaction with a higher gas limit. */
const protocolLimit = 2n ** 24n

/** Bytecode that loops 538,461 times at 26 gas each. */
const burns14Million = '0x6208375d5b600190038060045700'

const quoteOf = (change = {}): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 18n,
    recipient: newAccount(),
    refundTo: newAccount(),
    ...change,
  })

/** The second chain's client, whose node refuses the transactions that `reasonOf` names a reason for. */
function refusing(reasonOf: (raw: `0x${string}`) => string | undefined): ChainClient {
  const client = rig.clientOn(rollup)
  const ask: ChainClient['ask'] = async (request, ...rest) => {
    const { method } = request
    if (method === 'eth_sendRawTransaction') {
      const reason = reasonOf(request.params?.[0] as `0x${string}`)
      const refusal = { method, code: -32000, reason: reason ?? '' }
      if (reason !== undefined) throw new RpcRefusedError(rig.chainOf(rollup), refusal)
    }
    return client.ask(request, ...rest)
  }
  return { ...client, ask }
}

it('calls that use nearly all gas of a transaction do not stop other fills', async () => {
  const target = newAccount()
  await rig.wallet.clientOn(rollup).setCode({ address: target, bytecode: burns14Million })
  const client = refusing((raw) => {
    const { gas = 0n } = parseTransaction(raw)
    return gas > protocolLimit ? `transaction gas limit too high (tx: ${gas})` : undefined
  })
  solve(rollup, { client })
  solve(ethereum)
  const greedy = await quoteOf({
    txs: [{ to: target, data: '0x', value: toAmount(0n) }],
    txsGasLimit: 14_500_000n,
  })
  await rig.deposit(greedy)
  const { state } = await rig.outcome(greedy.requestId)
  expect([state.status, state.failReason]).toEqual(['success', undefined])
  const honest = await quoteOf()
  await rig.deposit(honest)
  expect((await rig.outcome(honest.requestId)).state.status).toBe('success')
})

it('refunds an order whose calls are too large for a transaction, and uses no nonce', async () => {
  const long = await quoteOf({
    // The maximum that fits into the body of a quote.
    txs: [0, 1].map(() => ({
      to: newAccount(),
      value: toAmount(0n),
      data: `0x${'00'.repeat(65_300)}`,
    })),
  })
  solve(rollup)
  solve(ethereum)
  await rig.deposit(long)
  const { state } = await rig.outcome(long.requestId)
  expect([state.status, state.failReason]).toEqual(['refund', 'EXECUTION_REVERTED'])
  const transactions = await rig.store.transactionsOf(long.requestId)
  expect(transactions.map(({ purpose }) => purpose)).toEqual(['refund'])
})

it('a fill that every node refuses frees its nonce for the next fills, and is refunded', async () => {
  const refused = await quoteOf()
  const names = refused.orderId.slice(2)
  const client = refusing((raw) => (raw.includes(names) ? 'oversized data' : undefined))
  solve(rollup, { client })
  solve(ethereum)
  await rig.deposit(refused)
  const honest = await quoteOf()
  await rig.deposit(honest)
  expect((await rig.outcome(honest.requestId)).state.status).toBe('success')
  // Each cancellation must be final before the next try.
  await vi.waitUntil(async () => {
    await rig.mineUntilFinal(rollup)
    return isTerminal((await rig.find(refused.requestId)).state.status)
  }, patience)
  const { state } = await rig.find(refused.requestId)
  expect([state.status, state.failReason]).toEqual(['refund', 'SOLVER_CAPACITY_EXCEEDED'])
  expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), refused.recipient)).toBe(0n)
})
