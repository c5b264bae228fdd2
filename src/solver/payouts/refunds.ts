import { AppError } from '#src/errors.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RefundFailReason, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { type Estimate, estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import { currentAttempt, type Outbox, type UnsentTransaction } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import { nonceOf, refundPayout, type SignPayouts } from './depositoryCalls.ts'
import { createFindExecutedRefund } from './findExecutedRefund.ts'
import { refundAmount } from './refundAmount.ts'
import { refundChanges } from './refundChanges.ts'
import { refundRecipientOf } from './refundRecipient.ts'

/** Size of a signed transaction without its calldata, as in src/pricing/gas. */
const envelopeBytes = 120n

/** Executing it late does no harm: only one refund of a deposit succeeds. */
const validSeconds = 7n * 86_400n

type Due = Readonly<{ deposit: Deposit; request: StoredRequest | undefined; recipient: Address }>

/** Refunds the deposits on this chain that are not filled. */
export function createRefunds(
  deps: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  { outbox, sign }: Readonly<{ outbox: Outbox; sign: SignPayouts }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now } = deps
  const { chain, solver } = solverChain
  const debounce = createBlockDebounce()
  const findExecutedRefund = createFindExecutedRefund(deps, solverChain)

  async function dueOf(view: ChainView): Promise<readonly Due[]> {
    // The view was read before the deposits: a refund that was pending then cannot be due again.
    const underWay = new Set(
      view.open
        .filter(({ purpose, status }) => purpose === 'refund' && status !== 'reverted')
        .flatMap(({ depositIds }) => depositIds),
    )
    const found = await store.refundable(chain.id)
    const deposits = found.filter(({ depositId }) => !underWay.has(depositId))
    if (deposits.length === 0) return []
    const requests = await store.findAll(deposits.flatMap(({ requestId }) => requestId ?? []))
    const byId = new Map(requests.map((each) => [each.requestId, each]))
    // A deposit without a known request must be final: nothing else proves it, and nobody waits for its refund.
    const final = deposits.some(({ requestId }) => byId.get(requestId ?? '0x') === undefined)
      ? await view.finalHeight()
      : 0n
    return deposits.flatMap((deposit): Due[] => {
      // After a reorg undid a deposit, the depository does not hold its money.
      if (deposit.block === undefined) return []
      const request = byId.get(deposit.requestId ?? '0x')
      if (request !== undefined)
        return [{ deposit, request, recipient: refundRecipientOf(request, deposit) }]
      if (deposit.block.number > final) return []
      return [{ deposit, request, recipient: deposit.depositor }]
    })
  }

  const callOf = ({ deposit, recipient }: Due, amount: Amount, view: ChainView) =>
    sign([refundPayout(deposit, recipient, amount)], {
      nonce: nonceOf([deposit.depositId]),
      timestamp: view.head.timestamp,
      validSeconds,
    })

  async function giveUp(due: Due, reason: RefundFailReason): Promise<void> {
    const { depositId } = due.deposit
    log.warn(
      { chainId: chain.id, depositId, reason },
      'A deposit can be neither filled nor refunded',
    )
    const unrefundable: Deposit = { ...due.deposit, status: 'kept', refundFailReason: reason }
    const event = { type: 'refundFailed', reason } as const
    await store.save(refundChanges(unrefundable, due.request, event, now()))
    debounce.forget(depositId)
  }

  async function recordRefusal(
    due: Due,
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
    if (debounce.hasLasted(depositId, view.head.number, 1n)) await giveUp(due, 'EXECUTION_REVERTED')
  }

  async function refund(due: Due, view: ChainView): Promise<void> {
    const { deposit } = due
    const { currency, depositId } = deposit
    const chainMarket = market.snapshot([chain.id]).chains.get(chain.id)
    if (chainMarket === undefined) return
    const whole = await callOf(due, deposit.amount, view)
    const estimate = await estimateGas(client, solver, whole)
    if (estimate.kind !== 'gas') return recordRefusal(due, estimate, view)
    const bytes = BigInt(whole.data.length / 2 - 1) + envelopeBytes
    const decimals = market.currencies.known({ chainId: chain.id, address: currency })?.decimals
    const amount = refundAmount(deposit, chainMarket, { gas: estimate.gas, bytes }, decimals)
    if (amount === undefined) return giveUp(due, 'AMOUNT_TOO_LOW_TO_REFUND')
    const unsent: UnsentTransaction = {
      transactionId: `refund:${depositId}:${view.head.number}`,
      purpose: 'refund',
      ...(deposit.requestId !== undefined && { requestId: deposit.requestId }),
      depositIds: [depositId],
      spends: [{ currency, amount }],
      call: await callOf(due, amount, view),
      gas: estimate.gas,
    }
    const saved = await outbox.send(unsent, marketFees(chainMarket.gas), (transaction) => ({
      ...refundChanges(deposit, due.request, sentEvent(transaction), now()),
      transactions: [transaction],
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, depositId, reason: deposit.reason }, 'Refunds a deposit')
  }

  /** An unexpected error of one refund does not stop the others. */
  async function tryRefund(due: Due, view: ChainView): Promise<void> {
    try {
      await refund(due, view)
    } catch (error) {
      if (error instanceof AppError) throw error
      const { depositId } = due.deposit
      log.error({ chainId: chain.id, depositId, err: error }, 'A deposit cannot be refunded')
    }
  }

  return async (view) => {
    for (const due of await dueOf(view)) await tryRefund(due, view)
  }
}

const sentEvent = (transaction: SolverTransaction) =>
  ({ type: 'refundSent', transaction: currentAttempt(transaction) }) as const
