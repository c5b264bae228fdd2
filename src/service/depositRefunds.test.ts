import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { depositHash, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { withRefunds } from './depositRefunds.ts'

const chainId = toChainId(990001)
const account = toAddress(`0x${'11'.repeat(20)}`)
const hashOf = (byte: string) => `0x${byte.repeat(32)}` as const

const deposit = (depositId: string, txHash = hashOf('aa')): Deposit => ({
  depositId,
  chainId,
  txHash,
  timestamp: 1_790_000_000,
  orderId: requestId,
  depositor: account,
  currency: account,
  amount: toAmount(5n),
  status: 'refundable',
  version: 1,
})

const transaction = (
  depositId: string,
  change: Partial<SolverTransaction> = {},
): SolverTransaction => ({
  transactionId: `refund:${depositId}:1`,
  purpose: 'refund',
  chainId,
  account,
  nonce: 1,
  depositIds: [depositId],
  spends: [],
  attempts: ['b1', 'b2'].map((byte) => ({
    hash: hashOf(byte),
    raw: '0x',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
  })),
  status: 'sent',
  createdAt: 1,
  version: 1,
  ...change,
})

it('finds the refund of each deposit and its progress', () => {
  const mined = { hash: hashOf('b1'), block: { number: 7n, hash: hashOf('c1') } }
  const ids = ['sent', 'mined', 'final', 'reverted', 'filled', 'none']
  const found = withRefunds(
    ids.map((id) => deposit(id)),
    [
      transaction('sent'),
      transaction('mined', { status: 'mined', mined }),
      transaction('final', { status: 'final', mined }),
      transaction('reverted', { status: 'reverted', mined }),
      transaction('filled', { purpose: 'fill' }),
    ],
    stateAt(4),
    () => undefined,
  )
  expect(found.map(({ refund }) => refund)).toEqual([
    { status: 'sent', transaction: { chainId, hash: hashOf('b2') } },
    { status: 'seen', transaction: { chainId, ...mined } },
    { status: 'confirmed', transaction: { chainId, ...mined } },
    undefined,
    undefined,
    undefined,
  ])
})

it('shows a refund that someone else sent for the accepted deposit', () => {
  const refund = { status: 'confirmed', transaction: { chainId, hash: hashOf('b7') } } as const
  const inputStates = [{ status: 'funded', depositId: 'main' }] as const
  const state = { ...stateAt(2), inputStates, refunds: [refund] }
  const found = withRefunds(
    [deposit('main', depositHash), deposit('other')],
    [],
    state,
    () => undefined,
  )
  expect(found.map((each) => each.refund)).toEqual([refund, undefined])
})
