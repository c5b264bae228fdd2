import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { AppError } from '#src/errors.ts'
import { lastSecondOf } from '#src/execution/permits/permit.ts'
import { permitsIn, type QuotedPermits, signedCall } from '#src/execution/permits/signedCall.ts'
import { gasPriceOf, transactionCost } from '#src/pricing/gas/gas.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import {
  type FailReason,
  isTerminal,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import type { StoredPermit } from '#src/requests/storedPermit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { failureOf, findReceipt } from '#src/solver/monitor/monitor.ts'
import { estimateGas, gasAfterRefunds } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import { currentAttempt, type Outbox, type UnsentTransaction } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { createSpentPermits } from './spentPermits.ts'

/** Permits per round. The next rounds take the others, because each permit is then due later. */
const perRound = 64
/** Delay before a permit that cannot be sent now is tried again. */
const retryMs = 5_000
/** Interval between checks of a permit whose request is paid: a reorg may undo the deposit. */
const paidMs = 60_000
/** Size of a signed transaction without its calldata, as in src/pricing/gas. */
const envelopeBytes = 120n

/** A stored permit with its request, and the permits that the request asks the user to sign. */
type Due = Readonly<{
  permit: StoredPermit
  request: StoredRequest
  quoted: QuotedPermits
}>

/**
 * Sends the transactions of permits that users have signed on this chain, once each. Fails requests whose permit had no
 * effect and can no longer have one.
 */
export function createPermits(
  { client, store, log, market, now }: Omit<SolverDeps, 'account' | 'bus'>,
  { chain, solver }: SolverChain,
  outbox: Pick<Outbox, 'send'>,
): (view: ChainView) => Promise<void> {
  const spent = createSpentPermits(client)

  /** Makes the permit due again after `ms` milliseconds. */
  const postpone = ({ permit }: Due, ms: number) =>
    store.save({ permits: [{ ...permit, dueAt: now() + ms }] })

  async function fail({ request }: Due, reason: FailReason): Promise<void> {
    const { requestId } = request
    const requests = [withEvent(request, { type: 'permitFailed', reason }, now())]
    if ((await store.save({ requests })) === 'conflict') return
    log.info({ chainId: chain.id, requestId, reason }, 'A signature had no effect')
  }

  /**
   * The reason why the permit can no longer have an effect; undefined while it may. Relies only on final blocks whose
   * deposits are stored.
   */
  async function endOf(due: Due, view: ChainView): Promise<FailReason | undefined> {
    const cursor = await store.cursor(chain.id)
    if (cursor === undefined || cursor.block.number > (await view.finalHeight())) return undefined
    const header = await readHeaderAt(client, cursor.block.number)
    if (header?.hash !== cursor.block.hash || (await mayBePaid(due))) return undefined
    const { requestId } = due.request
    const { paying } = due.quoted
    if (Number(header.timestamp) > lastSecondOf(paying))
      return due.permit.transactionId === undefined
        ? 'SIGNATURE_EXPIRED'
        : 'TRANSACTION_NOT_INCLUDED'
    const since = await spent.spentSince(requestId, paying, view.head)
    if (since === undefined || since.number > cursor.block.number) return undefined
    const spending = await readHeaderAt(client, since.number)
    if (spending?.hash === since.hash) return 'INVALID_NONCE'
    // A reorg has replaced the block: the nonce was spent in a later one, if at all.
    spent.forget(requestId)
    return undefined
  }

  /** Whether a stored deposit, or one of the mined transaction that is not stored yet, may still fund the request. */
  async function mayBePaid({ permit, request: { requestId } }: Due): Promise<boolean> {
    const deposits = await store.depositsOf(requestId)
    if (deposits.some(({ status }) => status === 'seen')) return true
    const { transactionId } = permit
    const transactions = transactionId === undefined ? [] : await store.transactionsOf(requestId)
    const sent = transactions.find((each) => each.transactionId === transactionId)
    if (sent === undefined) return false
    const receipt = await findReceipt(client, sent)
    if (receipt === undefined || failureOf(sent, receipt) !== undefined) return false
    return deposits.every(({ txHash }) => txHash !== receipt.hash)
  }

  async function sendPermit(due: Due, view: ChainView): Promise<void> {
    const { permit, request, quoted } = due
    const isOver = now() > lastSecondOf(quoted.paying) * 1000
    if (permit.transactionId !== undefined || isOver) return endOrWait(due, view)
    const facts = { chainId: chain.id, requestId: request.requestId }
    const gasMarket = market.latest(chain.id)?.gas
    const call =
      permit.signature === undefined
        ? undefined
        : signedCall(quoted, permit.signature, permit.allowanceSignature)
    if (gasMarket === undefined || call === undefined) return void (await postpone(due, retryMs))
    const fees = marketFees(gasMarket)
    const estimate = await estimateGas(client, solver, call, fees)
    if (estimate.kind !== 'gas') {
      log.debug({ ...facts, estimate }, 'A signed transaction would revert')
      return endOrWait(due, view)
    }
    const bytes = BigInt(call.data.length / 2 - 1) + envelopeBytes
    const isPaidFor = (gas: bigint) =>
      transactionCost(gasMarket, { gas, bytes }) <= (quoted.maxCost ?? 0n)
    if (!isPaidFor(estimate.simulated)) {
      const gas = await gasAfterRefunds(client, solver, call, fees)
      if (gas === undefined || !isPaidFor(gas)) {
        const cost = { gas: gas ?? estimate.simulated, gasPrice: gasPriceOf(gasMarket) }
        log.debug({ ...facts, ...cost }, 'A signed transaction waits for cheaper gas')
        return endOrWait(due, view)
      }
    }
    const transactionId = `permit:${request.requestId}`
    const { requestId } = request
    const unsent: UnsentTransaction = {
      ...{ transactionId, purpose: 'permit', requestId, depositIds: [], spends: [] },
      ...{ call, gas: estimate.gas },
    }
    const dueAt = (lastSecondOf(quoted.paying) + 1) * 1000
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      transactions: [transaction],
      permits: [{ ...permit, transactionId, dueAt }],
      requests: [
        withEvent(request, { type: 'permitSent', transaction: currentAttempt(transaction) }, now()),
      ],
    }))
    if (saved === 'saved') log.info(facts, 'Sends what a user has signed')
  }

  async function endOrWait(due: Due, view: ChainView): Promise<void> {
    const reason = await endOf(due, view)
    await (reason === undefined ? postpone(due, retryMs) : fail(due, reason))
  }

  /** An unexpected error of one permit does not stop the others. */
  async function tryOne(due: Due, view: ChainView): Promise<void> {
    const { requestId, state } = due.request
    try {
      if (state.status === 'depositing') return await sendPermit(due, view)
      spent.forget(requestId)
      if (isTerminal(state.status)) await store.removePermits([requestId])
      else await postpone(due, paidMs)
    } catch (error) {
      // Postponed, so that the others come first in the next round if only this one gets no answer.
      if (error instanceof AppError) {
        await postpone(due, retryMs)
        throw error
      }
      log.error({ chainId: chain.id, requestId, err: error }, 'A signature cannot be carried out')
      await postpone(due, paidMs)
    }
  }

  return async (view) => {
    const due = { chainId: chain.id, relayer: solver, now: now(), limit: perRound }
    const permits = await store.duePermits(due)
    if (permits.length === 0) return
    const found = await store.findAll(permits.map(({ requestId }) => requestId))
    const requests = new Map(found.map((request) => [request.requestId, request]))
    for (const permit of permits) {
      const request = requests.get(permit.requestId)
      const quoted = request && permitsIn(request.steps)
      if (request === undefined || quoted === undefined) {
        await store.removePermits([permit.requestId])
        continue
      }
      await tryOne({ permit, request, quoted }, view)
    }
  }
}

const withEvent = (request: StoredRequest, event: RequestEvent, at: number): StoredRequest => ({
  ...request,
  state: advance(request, event, at),
})
