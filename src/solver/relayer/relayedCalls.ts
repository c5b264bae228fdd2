import { readReceipt } from '#src/chains/read/readTransaction.ts'
import { AppError } from '#src/core/errors.ts'
import { highestCallCost } from '#src/core/pricing/gas/callCost.ts'
import { divUp } from '#src/core/units/mulDiv.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { isOpenCall, type RelayedCall, relayedTransactionId } from '#src/requests/relayedCall.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import { isReverted } from '#src/requests/state/cancelled.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { leftToApply } from '#src/solver/sending/authorizations.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'

/** Calls that one round handles. The others come next. */
const perRound = 64
/** Nodes drop the transactions of an account that has more in the mempool. */
const maxInFlight = 16
const retryMs = 1_000
/** How long a call that reverts is simulated again: nodes may lag behind the one that accepted it. */
const revertPatienceMs = 30_000
/** How long a call waits for gas money or cheaper gas. Then it ends. */
const patienceMs = 600_000

type Deps = Pick<SolverDeps, 'client' | 'store' | 'log' | 'market' | 'now'>

/** Why a call has not been sent, or has had no effect. */
type Failure = Readonly<{ failReason: FailReason; reason: string }>

/** Sends the accepted calls on a chain, once each, and records how they end and what they have cost. */
export function createRelayedCalls(
  deps: Deps,
  { chain, solver: relayer }: Pick<SolverChain, 'chain' | 'solver'>,
  outbox: Pick<Outbox, 'send'>,
  { readRoles }: Readonly<{ readRoles: () => Promise<readonly string[]> }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now } = deps
  const facts = (call: RelayedCall) => ({ chainId: chain.id, callId: call.callId })

  const postpone = (call: RelayedCall) =>
    store.save({ relayedCalls: [{ ...call, dueAt: now() + retryMs }] })

  /** The last change of a call. Its request awaits a deposit again if it has none. */
  async function end(call: RelayedCall, change: Partial<RelayedCall>): Promise<void> {
    const ended: RelayedCall = { ...call, ...change, updatedAt: now() }
    const saved = await store.save({ relayedCalls: [ended], ...(await requestChange(call)) })
    if (saved === 'conflict') return
    const { status, failReason, reason, chargedUsd } = ended
    log.info({ ...facts(call), status, failReason, reason, chargedUsd }, 'A relayed call has ended')
  }

  async function requestChange(call: RelayedCall): Promise<Pick<Batch, 'requests'>> {
    if (!call.isQuoted) return {}
    const others = await store.relayedCallsOf(call.requestId)
    if (others.some((each) => each.callId !== call.callId && isOpenCall(each))) return {}
    const request = await store.find(call.requestId)
    const state = request && advance(request, { type: 'callEnded' }, now())
    return request === undefined || state === undefined || state === request.state
      ? {}
      : { requests: [{ ...request, state }] }
  }

  /** Nothing was sent, and never will be: it costs nothing. */
  const fail = (call: RelayedCall, failure: Failure) =>
    end(call, { status: 'failed', chargedUsd: toUsd(0n), ...failure })

  async function failAfter(call: RelayedCall, ms: number, failure: Failure): Promise<void> {
    if (now() - call.createdAt >= ms) return fail(call, failure)
    log.debug({ ...facts(call), ...failure }, 'A relayed call cannot be sent yet')
    await postpone(call)
  }

  async function sendCall(call: RelayedCall): Promise<boolean> {
    const gasMarket = market.latest(chain.id)?.gas
    const wait = async (failReason: FailReason, reason: string, ms = patienceMs) => {
      await failAfter(call, ms, { failReason, reason })
      return false
    }
    if (gasMarket === undefined) return wait('TRANSACTION_NOT_INCLUDED', 'the chain has no market')
    const { to, data, authorizationList } = call.call
    const applied = await leftToApply(client, authorizationList)
    if (applied === 'stale') {
      const reason = 'an account that signed an authorization has another nonce or code by now'
      await fail(call, { failReason: 'INVALID_NONCE', reason })
      return false
    }
    const transaction: TransactionCall = {
      to,
      data,
      value: 0n,
      ...(applied !== undefined && { authorizationList: applied }),
    }
    const fees = marketFees(gasMarket)
    if (highestCallCost(gasMarket, call.call, call.gas) > call.maxCost)
      return wait('TRANSACTION_NOT_INCLUDED', 'gas has become dearer than what was reserved for it')
    const estimate = await estimateGas(client, relayer, transaction, fees)
    if (estimate.kind === 'insufficientFunds')
      return wait('TRANSACTION_NOT_INCLUDED', 'the relayer lacks gas money')
    if (estimate.kind === 'reverts')
      return wait('EXECUTION_REVERTED', estimate.reason, revertPatienceMs)
    if (estimate.simulated > call.gas)
      return wait(
        'EXECUTION_REVERTED',
        `it needs ${estimate.simulated} gas by now`,
        revertPatienceMs,
      )
    const unsent = {
      ...({ transactionId: relayedTransactionId(call), purpose: 'relayedCall' } as const),
      requestId: call.requestId,
      depositIds: [],
      spends: [],
      call: transaction,
      gas: call.gas,
    }
    const saved = await outbox.send(unsent, fees, (stored) => ({
      transactions: [stored],
      relayedCalls: [{ ...call, status: 'sent', dueAt: now() + retryMs, updatedAt: now() }],
    }))
    if (saved === 'saved') log.info(facts(call), 'Sends the call of an API key')
    return saved === 'saved'
  }

  /** Ends a sent call once its transaction no longer changes. */
  async function finalize(call: RelayedCall): Promise<void> {
    const transactionId = relayedTransactionId(call)
    const stored = await store.transactionsOf(call.requestId)
    const transaction = stored.find((each) => each.transactionId === transactionId)
    if (transaction === undefined) throw new Error(`${transactionId} is not stored`)
    const { status, mined } = transaction
    if (status !== 'final' && status !== 'reverted') return void (await postpone(call))
    const cost = await costOf(transaction)
    const paid = {
      ...(mined !== undefined && { txHash: mined.hash }),
      chargedUsd: chargeFor(call, cost),
    }
    if (status === 'final') return end(call, { ...paid, status: 'succeeded' })
    const failure: Failure = isReverted(transaction)
      ? { failReason: 'TRANSACTION_REVERTED', reason: 'its transaction reverted' }
      : { failReason: 'TRANSACTION_NOT_INCLUDED', reason: 'no block took its transaction in' }
    await end(call, { ...paid, status: 'failed', ...failure })
  }

  /** In wei; undefined if no node has the receipt. */
  async function costOf({ mined, failedCost }: SolverTransaction): Promise<bigint | undefined> {
    if (failedCost !== undefined || mined === undefined) return failedCost
    return (await readReceipt(client, mined.hash))?.cost
  }

  /** An unexpected error of one call does not stop the others. */
  async function tryOne<Result>(call: RelayedCall, run: () => Promise<Result>) {
    try {
      return await run()
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ ...facts(call), err: error }, 'A relayed call cannot be carried out')
      await postpone(call)
      return undefined
    }
  }

  async function sendAll(calls: readonly RelayedCall[], { open }: ChainView): Promise<void> {
    if (calls.length === 0) return
    const roles = await readRoles()
    if (roles.length > 0) {
      log.error(
        { chainId: chain.id, relayer, roles },
        'Our contracts trust the relayer: it sends nothing until it has no role',
      )
      const reason = 'the relayer must not be used on this chain'
      for (const call of calls)
        await failAfter(call, patienceMs, { failReason: 'TRANSACTION_NOT_INCLUDED', reason })
      return
    }
    let room = maxInFlight - open.filter(({ status }) => status === 'sent').length
    for (const call of calls)
      if (room <= 0) await postpone(call)
      else if ((await tryOne(call, () => sendCall(call))) === true) room -= 1
  }

  return async (view) => {
    const due = { chainId: chain.id, relayer, now: now(), limit: perRound }
    const calls = await store.dueRelayedCalls(due)
    for (const call of calls) if (call.status === 'sent') await tryOne(call, () => finalize(call))
    await sendAll(
      calls.filter(({ status }) => status === 'queued'),
      view,
    )
  }
}

/**
 * The value of `cost` at the price at which `maxCost` was reserved, rounded up. All that was reserved, if the cost is unknown
 * or gas was free.
 */
const chargeFor = (
  { chargedUsd, maxCost }: Pick<RelayedCall, 'chargedUsd' | 'maxCost'>,
  cost: bigint | undefined,
): Usd =>
  cost === undefined || maxCost === 0n ? chargedUsd : toUsd(divUp(chargedUsd * cost, maxCost))
