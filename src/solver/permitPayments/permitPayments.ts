import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { AppError } from '#src/core/errors.ts'
import { gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { Address } from '#src/core/units/address.ts'
import { lastSecondOf } from '#src/protocol/permits/permit.ts'
import { permitsIn, type QuotedPermits, signedCall } from '#src/protocol/permits/signedCall.ts'
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
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import type { PermitUse } from './permitBudget.ts'
import { createReadPermitBudget, permitUse, readHoldings } from './readPermitBudget.ts'
import { createSpentPermits } from './spentPermits.ts'

/** Permits per round, so that rounds are short: new permits come first in the next one. */
const perRound = 64
/** Simulations of one payer per round. */
const maxTriesPerPayer = 2
/** Permits per round of which the end is looked for, which takes several requests. The others wait for a later round. */
const maxEndChecks = 16
/** First delay before a permit that cannot be sent now is tried again. It doubles with each look. */
const retryMs = 5_000
/** The longest delay of a permit that lacks money or reverts, and of one that waits for cheaper gas or its end. */
const maxRetryMs = 300_000
const maxWaitMs = 30_000
/** Interval between checks of a permit whose request is paid: a reorg may undo the deposit. */
const paidMs = 60_000
/** Size of a signed transaction without its calldata, as in src/core/pricing/gas. */
const envelopeBytes = 120n

/** A stored permit with its request, and the permits that the request asks the user to sign. */
type Due = Readonly<{
  permit: StoredPermit
  request: StoredRequest
  quoted: QuotedPermits
}>

const useOf = ({ permit, quoted }: Due): PermitUse =>
  permitUse(quoted, permit.allowanceSignature !== undefined)

/**
 * Sends the transactions of permits that users have signed on this chain, once each. Fails requests whose permit had no
 * effect and can no longer have one.
 */
export function createPermits(
  { client, store, log, market, now }: Omit<SolverDeps, 'account' | 'bus'>,
  solverChain: SolverChain,
  outbox: Pick<Outbox, 'send'>,
  limits: Pick<SolverConfig['limits'], 'maxRevertedPermitsUsd'>,
): (view: ChainView) => Promise<void> {
  const { chain, solver } = solverChain
  const spent = createSpentPermits(client)
  const readBudget = createReadPermitBudget({ store, market, now }, solverChain, limits)

  const postponed = ({ permit }: Due, ms: number): StoredPermit => ({
    ...permit,
    dueAt: now() + ms,
  })

  /** Makes the permit due again after `ms` milliseconds. */
  const postpone = (due: Due, ms: number) => store.save({ permits: [postponed(due, ms)] })

  /** Each look stores the permit, so that its version counts them. */
  const delayOf = ({ permit: { version } }: Due, maxMs: number): number =>
    Math.min(retryMs * 2 ** Math.max(0, version - 1), maxMs)

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

  /** Whether nothing is sent for the permit any more. */
  const isDone = ({ permit, quoted }: Due): boolean =>
    permit.transactionId !== undefined || now() > lastSecondOf(quoted.paying) * 1000

  /** Sends the permit's transaction, unless it would revert or costs too much. */
  async function sendPermit(due: Due, view: ChainView): Promise<boolean> {
    const { permit, request, quoted } = due
    const facts = { chainId: chain.id, requestId: request.requestId }
    const gasMarket = market.latest(chain.id)?.gas
    const call =
      permit.signature === undefined
        ? undefined
        : signedCall(quoted, permit.signature, permit.allowanceSignature)
    const later = async (maxMs: number) => {
      await endOrWait(due, view, maxMs)
      return false
    }
    if (gasMarket === undefined || call === undefined) {
      await postpone(due, retryMs)
      return false
    }
    const fees = marketFees(gasMarket)
    const estimate = await estimateGas(client, solver, call, fees)
    if (estimate.kind !== 'gas') {
      log.debug({ ...facts, estimate }, 'A signed transaction would revert')
      return later(maxRetryMs)
    }
    const bytes = BigInt(call.data.length / 2 - 1) + envelopeBytes
    const isPaidFor = (gas: bigint) =>
      transactionCost(gasMarket, { gas, bytes }) <= (quoted.maxCost ?? 0n)
    if (!isPaidFor(estimate.simulated)) {
      const gas = await gasAfterRefunds(client, solver, call, fees)
      if (gas === undefined || !isPaidFor(gas)) {
        const cost = { gas: gas ?? estimate.simulated, gasPrice: gasPriceOf(gasMarket) }
        log.debug({ ...facts, ...cost }, 'A signed transaction waits for cheaper gas')
        return later(maxWaitMs)
      }
    }
    const transactionId = `permit:${request.requestId}`
    const { requestId } = request
    const unsent: UnsentTransaction = {
      transactionId,
      purpose: 'permit',
      requestId,
      depositIds: [],
      spends: [],
      call,
      gas: estimate.gas,
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
    return saved === 'saved'
  }

  async function endOrWait(due: Due, view: ChainView, maxMs: number): Promise<void> {
    const reason = await endOf(due, view)
    await (reason === undefined ? postpone(due, delayOf(due, maxMs)) : fail(due, reason))
  }

  /** The request is paid, or has ended. */
  async function leave(due: Due): Promise<void> {
    const { requestId, state } = due.request
    spent.forget(requestId)
    if (isTerminal(state.status)) await store.removePermits([requestId])
    else await postpone(due, paidMs)
  }

  /** An unexpected error of one permit does not stop the others. */
  async function tryOne<Result>(due: Due, run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await run()
    } catch (error) {
      // Postponed, so that the others come first in the next round if only this one gets no answer.
      if (error instanceof AppError) {
        await postpone(due, retryMs)
        throw error
      }
      const { requestId } = due.request
      log.error({ chainId: chain.id, requestId, err: error }, 'A signature cannot be carried out')
      await postpone(due, paidMs)
      return undefined
    }
  }

  async function readDue(): Promise<readonly Due[]> {
    const due = { chainId: chain.id, relayer: solver, now: now(), limit: perRound }
    const permits = await store.duePermits(due)
    if (permits.length === 0) return []
    const found = await store.findAll(permits.map(({ requestId }) => requestId))
    const requests = new Map(found.map((request) => [request.requestId, request]))
    const dues: Due[] = []
    for (const permit of permits) {
      const request = requests.get(permit.requestId)
      const quoted = request && permitsIn(request.steps)
      if (request === undefined || quoted === undefined)
        await store.removePermits([permit.requestId])
      else dues.push({ permit, request, quoted })
    }
    return dues
  }

  /** Sends what may be sent, in turns of the payers. Returns the permits that may not. */
  async function sendAll(dues: readonly Due[], view: ChainView): Promise<readonly Due[]> {
    if (dues.length === 0) return []
    const holdings = await readHoldings(client, dues, view.head.hash)
    const budget = await readBudget(dues, view)
    const hindered: Due[] = []
    let unaffordable = 0
    const triesOf = new Map<Address, number>()
    for (const [due, holding] of inTurns(dues.map((due, at) => [due, holdings[at]] as const))) {
      const use = useOf(due)
      const hindrance = holding === undefined ? 'balance' : budget.hindranceOf(use, holding)
      const own = triesOf.get(use.payer) ?? 0
      if (hindrance !== undefined || own === maxTriesPerPayer) {
        const { requestId } = due.request
        log.debug({ chainId: chain.id, requestId, hindrance }, 'A signed transaction waits')
        hindered.push(due)
        if (hindrance === 'budget') unaffordable += 1
      } else {
        triesOf.set(use.payer, own + 1)
        if ((await tryOne(due, () => sendPermit(due, view))) === true) budget.add(use)
      }
    }
    if (unaffordable > 0)
      log.warn(
        { chainId: chain.id, permits: unaffordable },
        'Signed payments of new payers wait: those that reverted have cost the hourly limit',
      )
    return hindered
  }

  return async (view) => {
    const { open = [], left = [] } = Object.groupBy(await readDue(), ({ request }) =>
      request.state.status === 'depositing' ? 'open' : 'left',
    )
    const { done = [], unsent = [] } = Object.groupBy(open, (due) =>
      isDone(due) ? 'done' : 'unsent',
    )
    const hindered = await sendAll(unsent, view)
    for (const due of left) await tryOne(due, () => leave(due))
    for (const due of done.slice(0, maxEndChecks))
      await tryOne(due, () => endOrWait(due, view, maxWaitMs))
    // The oldest may have been cancelled by their users.
    const [waiting, looked] = [hindered.slice(0, -maxEndChecks), hindered.slice(-maxEndChecks)]
    for (const due of looked) await tryOne(due, () => endOrWait(due, view, maxRetryMs))
    if (waiting.length > 0)
      await store.save({ permits: waiting.map((due) => postponed(due, delayOf(due, maxRetryMs))) })
  }
}

/** The first permit of each payer, then the second of each, and so on. */
function inTurns<Rest>(dues: readonly (readonly [Due, Rest])[]): readonly (readonly [Due, Rest])[] {
  const counts = new Map<Address, number>()
  const ranked = dues.map((each) => {
    const { payer } = each[0].quoted.paying
    const rank = counts.get(payer) ?? 0
    counts.set(payer, rank + 1)
    return { each, rank }
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ each }) => each)
}

const withEvent = (request: StoredRequest, event: RequestEvent, at: number): StoredRequest => ({
  ...request,
  state: advance(request, event, at),
})
