import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SignPayout } from '#src/solver/depository/depositoryCalls.ts'
import { createFailedLast } from '#src/solver/failedLast.ts'
import type { FillChecks } from '#src/solver/fills/fillChecks.ts'
import type { Runtime, SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import type { Estimate } from '#src/solver/sending/estimateGas.ts'
import { currentAttempt, type Sender, type UnsentTransaction } from '#src/solver/sending/outbox.ts'
import { createFindExecutedRefund } from './findExecutedRefund.ts'
import { createRefundDelays, refundChanges } from './refundChanges.ts'
import { type DueRefund, refundOrderOf, refundPayout } from './refundPayout.ts'
import { createRefundPrice, type RefundPrice } from './refundPrice.ts'
import { createIsUnused, createRefundQueue } from './refundQueue.ts'

/** Late execution does no harm: only one refund of a deposit succeeds. */
const validSeconds = 7n * 86_400n

/** Lower bound on the size of any refund. */
const leastRefund = { gas: 50_000n, bytes: 300n }

type Ports = Runtime &
  Readonly<{
    client: ChainClient
    store: RequestStore
    market: SolverMarket
    fillChecks: FillChecks
  }>

type Parts = Readonly<{ outbox: Sender; sign: SignPayout; limits: SolverLimits }>

/** Refunds the deposits on this chain that are not filled. */
export function createRefunds(
  ports: Ports,
  solverChain: SolverChain,
  { outbox, sign, limits }: Parts,
): (view: ChainView) => Promise<void> {
  const { store, log, now } = ports
  const { chain, solver } = solverChain
  const queue = createRefundQueue(ports, solverChain, { limits, least: leastRefund })
  const delays = createRefundDelays(ports, solverChain, limits)
  const priceOf = createRefundPrice(ports, solverChain, limits)
  const isUnused = createIsUnused(ports, solverChain, delays)
  const findExecutedRefund = createFindExecutedRefund(ports, solverChain)

  const callOf = ({ deposit, request, recipient }: DueRefund, amount: Amount, view: ChainView) =>
    sign(
      refundPayout(deposit, {
        order: refundOrderOf(deposit, request),
        chainName: chain.name,
        recipient,
        amount,
        payee: solver,
        expiration: view.head.timestamp + validSeconds,
      }),
    )

  async function recordRefusal(
    due: DueRefund,
    estimate: Exclude<Estimate, { kind: 'gas' }>,
    view: ChainView,
  ): Promise<void> {
    const facts = { chainId: chain.id, depositId: due.deposit.depositId }
    if (estimate.kind === 'insufficientFunds')
      return log.warn(facts, 'The solver cannot pay the gas of a refund yet')
    log.info({ ...facts, reason: estimate.reason }, 'A refund would revert')
    const found = await findExecutedRefund(due.deposit, due.request, view.head)
    if (found.kind === 'confirmed') await store.save(found.changes)
    if (found.kind !== 'none') return
    await delays.retryLater(due, 'EXECUTION_REVERTED')
  }

  async function refund(due: DueRefund, view: ChainView): Promise<void> {
    if (!(await isUnused(due))) return
    const price = await priceOf(due, (amount) => callOf(due, amount, view))
    const facts = { chainId: chain.id, depositId: due.deposit.depositId }
    switch (price.kind) {
      case 'noMarket':
        return
      case 'refused':
        return recordRefusal(due, price.estimate, view)
      case 'tooMuchGas':
        log.info({ ...facts, gas: price.gas }, 'A refund would use too much gas')
        return delays.retryLater(due, 'EXECUTION_REVERTED')
      case 'tooLow':
        return delays[price.retry ? 'retryLater' : 'giveUp'](due, 'AMOUNT_TOO_LOW_TO_REFUND')
      case 'noPrice':
        log.warn(facts, 'A refund waits for the price of its currency')
        return delays.wait(due)
      case 'amount':
        return send(due, price, view)
    }
  }

  async function send(
    due: DueRefund,
    { amount, gas, fees }: Extract<RefundPrice, { kind: 'amount' }>,
    view: ChainView,
  ): Promise<void> {
    const { depositId, requestId, currency, reason } = due.deposit
    const unsent: UnsentTransaction = {
      transactionId: `refund:${depositId}:${view.head.number}`,
      purpose: 'refund',
      ...(requestId !== undefined && { requestId }),
      depositIds: [depositId],
      spends: [{ currency, amount }],
      call: await callOf(due, amount, view),
      gas,
    }
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      ...refundChanges(due.deposit, due.request, sentEvent(transaction), now()),
      transactions: [transaction],
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, requestId, depositId, reason }, 'Refunds a deposit')
  }

  /** An unexpected error of one refund does not stop the others. */
  async function tryRefund(due: DueRefund, view: ChainView): Promise<void> {
    try {
      await refund(due, view)
    } catch (error) {
      if (error instanceof AppError) throw error
      const { depositId } = due.deposit
      log.error({ chainId: chain.id, depositId, err: error }, 'A deposit cannot be refunded')
    }
  }

  const inTurn = createFailedLast<DueRefund>(({ deposit }) => deposit.depositId)
  return async (view) => inTurn(await queue.next(view), (due) => tryRefund(due, view))
}

const sentEvent = (transaction: SolverTransaction) =>
  ({ type: 'refundSent', transaction: currentAttempt(transaction) }) as const
