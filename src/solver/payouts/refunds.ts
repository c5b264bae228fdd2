import { AppError } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Payout } from '#src/protocol/calls/payout.ts'
import { type RefundProof, refundProofOf } from '#src/protocol/order/orderProof.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import type { RefundFailReason, StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { type Estimate, estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import { currentAttempt, type Outbox, type UnsentTransaction } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import { createAttemptCosts } from './attemptCosts.ts'
import { recordedDeposit, type SignPayout } from './depositoryCalls.ts'
import { createFindExecutedRefund } from './findExecutedRefund.ts'
import { type RefundAmount, refundAmount } from './refundAmount.ts'
import { givenUpChanges, refundChanges } from './refundChanges.ts'
import { createRefundQueue, type DueRefund } from './refundQueue.ts'
import { withRefundRetry, withRefundWait } from './refundRetry.ts'

/** Size of a signed transaction without its calldata, as in src/core/pricing/gas. */
const envelopeBytes = 120n

/** Late execution does no harm: only one refund of a deposit succeeds. */
const validSeconds = 7n * 86_400n

/** Refunds the deposits on this chain that are not filled. */
export function createRefunds(
  deps: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  {
    outbox,
    sign,
    limits,
  }: Readonly<{ outbox: Outbox; sign: SignPayout; limits: SolverConfig['limits'] }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now, fillChecks } = deps
  const { chain, solver } = solverChain
  const queue = createRefundQueue(deps, solverChain, limits)
  const findExecutedRefund = createFindExecutedRefund(deps, solverChain)
  const attemptCostOf = createAttemptCosts(deps)

  const callOf = ({ deposit, request, recipient }: DueRefund, amount: Amount, view: ChainView) =>
    sign(
      refundPayout(deposit, {
        order: orderOf(deposit, request),
        chainName: chain.name,
        recipient,
        amount,
        payee: solver,
        expiration: view.head.timestamp + validSeconds,
      }),
    )

  async function giveUp(due: DueRefund, reason: RefundFailReason): Promise<void> {
    const { depositId } = due.deposit
    log.warn(
      { chainId: chain.id, depositId, reason },
      'A deposit can be neither filled nor refunded',
    )
    await store.save(givenUpChanges(due.deposit, due.request, reason, now()))
  }

  /** Tries again later. Gives up after `refundRetryDays`. */
  async function retryLater(due: DueRefund, reason: RefundFailReason): Promise<void> {
    const terms = { now: now(), retryDays: limits.refundRetryDays }
    const postponed = withRefundRetry(due.deposit, terms)
    if (postponed === undefined) return giveUp(due, reason)
    const { depositId, refundDueAt } = postponed
    log.info({ chainId: chain.id, depositId, reason, refundDueAt }, 'A refund is tried again later')
    await store.save({ deposits: [postponed] })
  }

  async function postpone(
    due: DueRefund,
    cause: Exclude<RefundAmount['kind'], 'amount'>,
  ): Promise<void> {
    const { depositId } = due.deposit
    switch (cause) {
      case 'dust':
        return giveUp(due, 'AMOUNT_TOO_LOW_TO_REFUND')
      case 'gasTooHigh':
        return retryLater(due, 'AMOUNT_TOO_LOW_TO_REFUND')
      case 'noPrice':
        log.warn({ chainId: chain.id, depositId }, 'A refund waits for the price of its currency')
        await store.save({ deposits: [withRefundWait(due.deposit, now())] })
    }
  }

  async function recordRefusal(
    due: DueRefund,
    estimate: Exclude<Estimate, { kind: 'gas' }>,
    view: ChainView,
  ) {
    const { depositId } = due.deposit
    const facts = { chainId: chain.id, depositId }
    if (estimate.kind === 'insufficientFunds')
      return log.warn(facts, 'The solver cannot pay the gas of a refund yet')
    log.info({ ...facts, reason: estimate.reason }, 'A refund would revert')
    const found = await findExecutedRefund(due.deposit, due.request, view.head)
    if (found.kind === 'confirmed') await store.save(found.changes)
    if (found.kind !== 'none') return
    await retryLater(due, 'EXECUTION_REVERTED')
  }

  /** Whether no fill has used the deposit, and none can later. Asks the chains: the store may have lost a fill. */
  async function isUnused({ deposit, request }: DueRefund): Promise<boolean> {
    const { depositId, orderId } = deposit
    const known = request !== undefined && isSolverRequest(request) ? request : undefined
    const verdict = await fillChecks.verdict(deposit, known)
    if (verdict === 'unfilled') return true
    const facts = { chainId: chain.id, depositId, orderId }
    if (verdict === 'filled' && known === undefined) {
      log.error(facts, 'The order of a deposit is filled, and the store has lost its request')
      await store.save({ deposits: [{ ...deposit, status: 'filled' }] })
      return false
    }
    if (known !== undefined && verdict === 'filled') await fillChecks.restore(known)
    log.warn(facts, 'A refund waits: the store has lost a fill, or a chain does not answer')
    await store.save({ deposits: [withRefundWait(deposit, now())] })
    return false
  }

  async function refund(due: DueRefund, view: ChainView): Promise<void> {
    const { deposit } = due
    if (!(await isUnused(due))) return
    const { currency, depositId } = deposit
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return
    // Simulates with a cost of one unit: without a cost, the depository would use less gas.
    const allButOne = deposit.amount > 1n ? toAmount(deposit.amount - 1n) : deposit.amount
    const simulatedCall = await callOf(due, allButOne, view)
    const fees = marketFees(chainMarket.gas)
    const estimate = await estimateGas(client, solver, simulatedCall, fees)
    if (estimate.kind !== 'gas') return recordRefusal(due, estimate, view)
    if (estimate.gas > BigInt(limits.maxRefundGas)) {
      log.info(
        { chainId: chain.id, depositId, gas: estimate.gas },
        'A refund would use too much gas',
      )
      return retryLater(due, 'EXECUTION_REVERTED')
    }
    const bytes = BigInt(simulatedCall.data.length / 2 - 1) + envelopeBytes
    const payable = refundAmount(deposit, snapshot, chainMarket, { gas: estimate.gas, bytes })
    if (payable.kind !== 'amount') return postpone(due, payable.kind)
    const attemptCost = await attemptCostOf(deposit)
    if (attemptCost === undefined) return postpone(due, 'noPrice')
    if (attemptCost >= payable.amount) return giveUp(due, 'AMOUNT_TOO_LOW_TO_REFUND')
    const amount = toAmount(payable.amount - attemptCost)
    const unsent: UnsentTransaction = {
      transactionId: `refund:${depositId}:${view.head.number}`,
      purpose: 'refund',
      ...(deposit.requestId !== undefined && { requestId: deposit.requestId }),
      depositIds: [depositId],
      spends: [{ currency, amount }],
      call: await callOf(due, amount, view),
      gas: estimate.gas,
    }
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      ...refundChanges(deposit, due.request, sentEvent(transaction), now()),
      transactions: [transaction],
    }))
    if (saved === 'conflict') return
    const { requestId, reason } = deposit
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

  return async (view) => {
    for (const due of await queue.next(view)) await tryRefund(due, view)
  }
}

const sentEvent = (transaction: SolverTransaction) =>
  ({ type: 'refundSent', transaction: currentAttempt(transaction) }) as const

/** The order that proves the refund's recipient. The order id of a payment to an open address is no order hash. */
const orderOf = ({ orderId }: DueRefund['deposit'], request: StoredRequest | undefined) =>
  request !== undefined &&
  isSolverRequest(request) &&
  request.parentId === undefined &&
  request.orderId === orderId
    ? request.order
    : undefined

type Terms = Readonly<{
  /** The deposit's order, if it is known. */
  order: ProtocolOrder | undefined
  /** Name of the deposit's chain in orders. */
  chainName: string
  recipient: Address
  /** At most the deposit's amount. */
  amount: bigint
  /** May claim the rest of the deposit, which is the cost of the refund. */
  payee: Address
  /** Seconds since 1970. */
  expiration: bigint
}>

/** The payout that refunds a deposit. A recorded deposit goes to its depositor unless the order names `recipient`. */
function refundPayout(deposit: Deposit, terms: Terms): Payout {
  const { order, chainName, recipient: wanted, amount, payee, expiration } = terms
  const recorded = recordedDeposit(deposit)
  if (recorded === undefined) {
    const [txHash, logIndex] = plainTransferOf(deposit)
    const payments = [{ recipient: wanted, amount }]
    return {
      kind: 'unrecorded',
      txHash,
      logIndex,
      currency: deposit.currency,
      payments,
      expiration,
    }
  }
  const proof =
    wanted === deposit.depositor
      ? undefined
      : order && refundProofOf(order, wanted, { chainName, currency: deposit.currency })
  const to: Readonly<{ recipient: Address; proof?: RefundProof }> =
    proof === undefined ? { recipient: deposit.depositor } : { recipient: wanted, proof }
  const owed = deposit.amount
  return {
    kind: 'refund',
    deposit: recorded,
    owed,
    ...to,
    amount,
    payee,
    cost: owed - amount,
    expiration,
  }
}
