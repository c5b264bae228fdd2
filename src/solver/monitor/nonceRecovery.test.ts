import { serializeTransaction } from 'viem'
import { expect, it } from 'vitest'
import type { Batch } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { contracts, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createNonceRecovery } from './nonceRecovery.ts'

const price = attempt(example())
if (price instanceof Error) throw price
const request = requestOf(price)
const deposit = depositFor(request, { status: 'filled' })
const chainId = request.destinationChainId

/** What is saved if a reorg has freed the nonce of the fill, and the tracker has not noticed it. */
async function savedAfterReorg(status: SolverTransaction['status'], to: `0x${string}`) {
  const saved: Batch[] = []
  const raw = serializeTransaction({ type: 'eip1559', chainId, to })
  const fill: SolverTransaction = {
    transactionId: 'fill',
    purpose: 'fill',
    chainId,
    account: solver,
    nonce: 0,
    requestId: request.requestId,
    depositIds: [deposit.depositId],
    spends: [],
    attempts: [{ hash: hashOf(4), raw, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
    status,
    createdAt: 1,
    version: 1,
  }
  const store = {
    openTransactions: async () => [fill],
    findDeposits: async () => [deposit],
    save: async (batch: Batch) => {
      saved.push(batch)
      return 'saved'
    },
  }
  const recover = createNonceRecovery(
    {
      client: { ask: async () => undefined },
      store,
      log: silentLog,
      market: { latest: () => ({ gas: {} }) },
    } as never,
    { chain: { id: chainId }, solver } as never,
    { resend: () => undefined } as never,
  )
  const view = { finalHeight: async () => 90n } as ChainView
  for (let round = 0; round < 3; round += 1) await recover(view, [0])
  return saved
}

it('opens the deposits of a confirmed fill again that is sent again', async () => {
  expect(await savedAfterReorg('final', contracts.approvalProxy)).toMatchObject([
    { transactions: [{ status: 'sent' }], deposits: [{ status: 'credited' }] },
  ])
  // A cancelled fill has paid nobody: another one has filled the order.
  expect(await savedAfterReorg('reverted', solver)).toMatchObject([
    { transactions: [{ status: 'sent' }], deposits: [] },
  ])
})
