import { expect } from 'vitest'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { advance } from '#src/requests/machine.ts'
import { fundingDepositIds, inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { type createMultiInputModel, one } from './multiInputModel.ts'

type Model = ReturnType<typeof createMultiInputModel>

/** The actions of a solver on the model’s request. */
export function createMultiInputSolver(model: Model) {
  let made = 0
  const destination = toChainId(990009)

  function transaction(change: Pick<SolverTransaction, 'purpose' | 'chainId' | 'depositIds'>) {
    made += 1
    const hash = hashOf(40_000 + made)
    const attempt = { hash, raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } as const
    const sent = {
      ...change,
      transactionId: `${change.purpose}:${made}`,
      account: one,
      nonce: made,
      requestId: model.request().requestId,
      spends: [],
      attempts: [attempt],
      status: 'sent',
      createdAt: 1,
      version: 0,
    } satisfies SolverTransaction
    return { sent, observedTransaction: { chainId: change.chainId, hash } }
  }

  const isPaid = (depositId: string) =>
    model
      .transactions()
      .some(({ status, depositIds }) => status !== 'reverted' && depositIds.includes(depositId))

  /** The deposits that a fill would consume, if all of them are confirmed. */
  function fillable() {
    const request = model.request()
    if (request.state.status !== 'pending' || request.state.refunds !== undefined) return undefined
    const depositIds = fundingDepositIds(request)
    const deposits = model.deposits().filter(({ depositId }) => depositIds.includes(depositId))
    const isReady = deposits.every(({ status }) => status === 'credited')
    const isUnderWay = model.transactions().some(({ purpose }) => purpose === 'fill')
    return isReady && !isUnderWay && deposits.length === depositIds.length ? deposits : undefined
  }

  return {
    fill: () => {
      const deposits = fillable()
      if (deposits === undefined) return
      const request = model.request()
      const depositIds = deposits.map(({ depositId }) => depositId)
      const of = { purpose: 'fill', chainId: destination, depositIds } as const
      const { sent, observedTransaction } = transaction(of)
      const state = advance(request, { type: 'fillSent', transaction: observedTransaction }, 1)
      model.save({ transactions: [sent], requests: [{ ...request, state }] })
    },
    giveUp: () => {
      const deposits = fillable()
      if (deposits === undefined) return
      const request = model.request()
      const state = advance(request, { type: 'refundDue', reason: 'ORDER_EXPIRED' }, 1)
      model.save({
        requests: [{ ...request, state }],
        deposits: deposits.map((each) => ({
          ...each,
          status: 'refundable',
          reason: 'ORDER_EXPIRED',
        })),
      })
    },
    refund: (chainId: ChainId) => {
      const due = model
        .deposits()
        .filter((each) => each.chainId === chainId && each.status === 'refundable')
      for (const deposit of due) {
        const { depositId } = deposit
        if (isPaid(depositId)) continue
        // A refund without a deposit on the chain would be paid with other users’ money.
        expect(deposit.block).toBeDefined()
        const of = { purpose: 'refund', chainId, depositIds: [depositId] } as const
        const { sent, observedTransaction } = transaction(of)
        const request = model.request()
        const input = inputFundedBy(request, depositId)
        const event = { type: 'refundSent', transaction: observedTransaction } as const
        const state = input === undefined ? request.state : advance(request, { ...event, input }, 1)
        model.save({
          transactions: [sent],
          deposits: [deposit],
          ...(state !== request.state && { requests: [{ ...request, state }] }),
        })
      }
    },
    /** Hashes of the transactions to be mined on a chain. */
    sentOn: (chainId: ChainId) =>
      model
        .transactions()
        .filter((each) => each.chainId === chainId && each.status === 'sent')
        .flatMap(({ attempts }) => attempts.map(({ hash }) => hash)),
    destination,
  }
}
