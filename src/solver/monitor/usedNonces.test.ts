import { serializeTransaction } from 'viem'
import { expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit, DepositStatus } from '#src/requests/state/deposit.ts'
import { initialState, type RequestState } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { contracts, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createUsedNonces } from './usedNonces.ts'

const quoted = quotedRequest(hashOf(1))
const chainId = quoted.destinationChainId
const block = { number: 5n, hash: hashOf(5) }

const depositOf = (status: DepositStatus): Deposit => ({
  depositId: `${quoted.originChainId}:${hashOf(2)}`,
  chainId: quoted.originChainId,
  txHash: hashOf(2),
  block,
  timestamp: 1,
  orderId: hashOf(3),
  requestId: quoted.requestId,
  depositor: solver,
  currency: nativeAddress,
  amount: toAmount(100n),
  status,
  version: 1,
})

const call = { type: 'eip1559', chainId, to: contracts.approvalProxy, data: '0x01' } as const
const fill: SolverTransaction = {
  transactionId: 'fill',
  purpose: 'fill',
  chainId,
  account: solver,
  nonce: 0,
  requestId: quoted.requestId,
  depositIds: [depositOf('credited').depositId],
  spends: [],
  attempts: [
    {
      hash: hashOf(4),
      raw: serializeTransaction(call),
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    },
  ],
  status: 'sent',
  createdAt: 1,
  version: 1,
}

/** What is saved once the fill of a request, by default a successful one, has reverted in a final block. */
async function savedAfterRevert(
  deposit: DepositStatus | Deposit,
  fills: readonly SolverTransaction[] = [fill],
  state: RequestState = { ...initialState(quoted), status: 'success' },
): Promise<Batch> {
  const saved: Batch[] = []
  const store = {
    find: async () => ({ ...quoted, state, version: 1 }),
    findDeposits: async () => [typeof deposit === 'string' ? depositOf(deposit) : deposit],
    transactionsOf: async () => fills,
    save: async (batch: Batch) => {
      saved.push(batch)
      return 'saved'
    },
  }
  const receipt = {
    status: '0x0',
    transactionHash: hashOf(4),
    from: solver,
    blockNumber: '0x5',
    blockHash: block.hash,
    gasUsed: '0x1',
    effectiveGasPrice: '0x1',
    logs: [],
  }
  const client = {
    ask: async (_: unknown, read: (answer: unknown) => unknown) => read(receipt),
  }
  const { inspect } = createUsedNonces(
    { client, store, log: silentLog, now: () => 7 } as never,
    { chain: { id: chainId, fillConfirmations: 1 }, contracts, solver } as never,
  )
  const view = { head: { number: 100n, timestamp: 1n }, finalHeight: async () => 90n }
  expect(await inspect(fill, view as unknown as ChainView)).toBe(true)
  return saved[0] ?? {}
}

it('refunds the deposit of a request whose fill a reorg undid and that then reverted', async () => {
  const due = { status: 'refundable', reason: 'EXECUTION_REVERTED' }
  for (const status of ['credited', 'filled'] as const)
    expect(await savedAfterRevert(status)).toMatchObject({
      deposits: [due],
      transactions: [{ status: 'reverted' }],
    })
  // The solver has its money, or the depositor.
  for (const status of ['settling', 'settled', 'refunded', 'kept'] as const)
    expect((await savedAfterRevert(status)).deposits).toEqual([])
})

it('refunds nothing while another fill of the request has paid, or may', async () => {
  for (const status of ['sent', 'final'] as const) {
    const other = { ...fill, transactionId: 'other', status }
    expect((await savedAfterRevert('filled', [fill, other])).deposits ?? []).toEqual([])
  }
})

it('takes back a deposit that a reorg removed while its fill was under way', async () => {
  const { block: _, ...gone } = depositOf('credited')
  const { depositId } = gone
  const submitted: RequestState = {
    ...initialState(quoted),
    status: 'submitted',
    inputStates: [{ status: 'funded', depositId }],
    fill: { status: 'sent', transaction: { chainId, hash: hashOf(4) } },
  }
  const saved = await savedAfterRevert(gone, [fill], submitted)
  expect(saved.removedDeposits).toEqual([gone])
  // Else the request would wait for the deposit, and the deposits of its other inputs with it.
  expect(saved.requests?.at(-1)?.state).toMatchObject({
    status: 'waiting',
    inputStates: [{ status: 'open' }],
  })
  const held = await savedAfterRevert('credited', [fill], submitted)
  expect(held.removedDeposits ?? []).toEqual([])
  expect(held.requests?.at(-1)?.state.status).toBe('pending')
})
