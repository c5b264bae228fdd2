import { expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Deposit, DepositStatus } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { decide } from './decide.ts'

const chainId = toChainId(990001)
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const blockAt = (number: number, hash = hashOf(number)) => ({ number: BigInt(number), hash })
const account = toAddress(`0x${'0'.repeat(39)}9`)

const depositOf = (status: DepositStatus): Deposit => ({
  depositId: `${chainId}:${hashOf(100)}`,
  chainId,
  txHash: hashOf(100),
  block: blockAt(1),
  timestamp: 1,
  orderId: hashOf(101),
  depositor: account,
  currency: nativeAddress,
  amount: toAmount(100n),
  record: { index: 0, exitTime: 1_000_000 },
  status,
  paid: [],
  version: 1,
})

const payment = (purpose: SolverTransaction['purpose']): SolverTransaction => ({
  transactionId: purpose,
  purpose,
  chainId,
  account,
  nonce: 0,
  depositIds: [depositOf('filled').depositId],
  spends: [],
  attempts: [{ hash: hashOf(200), raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
  status: 'final',
  mined: { hash: hashOf(200), block: blockAt(2) },
  createdAt: 1,
  version: 1,
})

it('opens a deposit again whose confirmed fill, refund or settlement a reorg undoes', () => {
  const rules = { id: chainId, depositConfirmations: 1, fillConfirmations: 1 }
  const after = (purpose: SolverTransaction['purpose'], status: DepositStatus) => {
    const followed = createFollowedBlocks(blockAt(1))
    for (const block of [blockAt(2, hashOf(302)), blockAt(3, hashOf(303))])
      followed.push({ ...block, timestamp: 1n })
    const { batch } = decide(
      {
        deposits: [depositOf(status)],
        requests: [],
        transactions: [payment(purpose)],
        payments: [],
        outcomes: new Map(),
      },
      { followed, events: noEvents, processedUntil: undefined },
      { rules, at: 1 },
    )
    expect(batch.transactions).toMatchObject([{ status: 'sent' }])
    const [deposit] = batch.deposits ?? []
    expect(deposit?.paid).toBeUndefined()
    return deposit?.status
  }
  expect(after('fill', 'filled')).toBe('credited')
  expect(after('refund', 'refunded')).toBe('refundable')
  expect(after('settlement', 'settled')).toBe('settling')
  // A settlement of an undone fill is under way.
  expect(after('fill', 'settling')).toBeUndefined()
})
