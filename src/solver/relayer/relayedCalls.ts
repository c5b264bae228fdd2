import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import { evmGas, highestCallCost } from '#src/core/pricing/gas/gas.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { advance } from '#src/requests/machine.ts'
import { isOpenCall, type RelayedCall, relayedTransactionId } from '#src/requests/relayedCall.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import { isReverted, type SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { AccountChain, OwnChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import { leftToApply } from '#src/solver/sending/authorizations.ts'
import { estimateGas, type Fees, marketFees } from '#src/solver/sending/estimateGas.ts'
import type { Sender, UnsentTransaction } from '#src/solver/sending/outbox.ts'

/** Calls that one round handles. The others come next. */
const perRound = 64
/** Nodes drop the transactions of an account that has more in the mempool. */
const maxInFlight = 16

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** Sends the accepted calls on a chain, once each, and records how they end and what they have cost. */
export function createRelayedCalls(
  ports: Ports,
  accountChain: AccountChain,
  outbox: Sender,
  { readRoles }: Readonly<{ readRoles: () => Promise<readonly string[]> }>,
): (view: ChainView) => Promise<void> {
  const { client, store, log, now } = ports
  const { chain, solver: relayer } = accountChain
  const facts = (call: RelayedCall) => ({ chainId: chain.id, callId: call.callId })

  const { postpone, end, fail, failAfter } = createCallEnds(ports, accountChain)

  async function sendCall(call: RelayedCall): Promise<boolean> {
    const prepared = await prepareCall(ports, accountChain, call)
    if (prepared.kind !== 'ready') {
      const { failure } = prepared
      await (prepared.kind === 'hopeless'
        ? fail(call, failure)
        : failAfter(call, prepared.patienceMs, failure))
      return false
    }
    const unsent: UnsentTransaction = {
      transactionId: relayedTransactionId(call),
      purpose: 'relayedCall',
      requestId: call.requestId,
      depositIds: [],
      spends: [],
      call: prepared.transaction,
      gas: call.gas,
    }
    const saved = await outbox.send(unsent, prepared.fees, (stored) => ({
      transactions: [stored],
      relayedCalls: [{ ...call, status: 'sent', dueAt: now() + retryMs, updatedAt: now() }],
    }))
    if (saved === 'saved') log.info(facts(call), 'Submitting the call of an API key')
    return saved === 'saved'
  }

  /** Ends a sent call once its transaction no longer changes. */
  async function finalize(call: RelayedCall): Promise<void> {
    const transactionId = relayedTransactionId(call)
    const stored = await store.transactionsOf(call.requestId)
    const transaction = stored.find((each) => each.transactionId === transactionId)
    if (transaction === undefined) throw new Error(`${transactionId} is not stored`)
    const { status } = transaction
    if (status !== 'final' && status !== 'reverted') return void (await postpone(call))
    await end(call, outcomeOf(call, transaction, await costOf(client, transaction)))
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
        'The relayer has a role in our contracts; it sends nothing until the role is removed',
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

/** In wei; undefined if no node has the receipt. */
async function costOf(
  client: ChainClient,
  { mined, failedCost }: SolverTransaction,
): Promise<bigint | undefined> {
  if (failedCost !== undefined || mined === undefined) return failedCost
  return (await readReceipt(client, evmHash(mined.hash)))?.cost
}

/** How long a call that reverts is simulated again: nodes may lag behind the one that accepted it. */
const revertPatienceMs = 30_000
/** How long a call waits for gas money or cheaper gas. Then it ends. */
const patienceMs = 600_000

type Prepared =
  | Readonly<{ kind: 'ready'; transaction: TransactionCall; fees: Fees }>
  /** Nothing can be sent for it any more. */
  | Readonly<{ kind: 'hopeless'; failure: CallFailure }>
  /** The call fails once it is older than `patienceMs`. */
  | Readonly<{ kind: 'blocked'; failure: CallFailure; patienceMs: number }>

/** Simulates a call on the newest block, and checks its cost. */
async function prepareCall(
  { client, market }: Readonly<{ client: ChainClient; market: SolverMarket }>,
  { chain, solver: relayer }: AccountChain,
  { call, gas, maxCost }: RelayedCall,
): Promise<Prepared> {
  const blocked = (failReason: FailReason, reason: string, ms = patienceMs): Prepared => ({
    kind: 'blocked',
    failure: { failReason, reason },
    patienceMs: ms,
  })
  const gasMarket = market.latest(chain.id)?.gas
  if (gasMarket === undefined) return blocked('TRANSACTION_NOT_INCLUDED', 'the chain has no market')
  const { to, data, authorizationList } = call
  const applied = await leftToApply(client, authorizationList)
  if (applied === 'stale') {
    const reason = 'an account that signed an authorization has another nonce or code by now'
    return { kind: 'hopeless', failure: { failReason: 'INVALID_NONCE', reason } }
  }
  const transaction: TransactionCall = {
    to,
    data,
    value: 0n,
    ...(applied !== undefined && { authorizationList: applied }),
  }
  const fees = marketFees(gasMarket)
  if (highestCallCost(evmGas(gasMarket), call, gas) > maxCost)
    return blocked('TRANSACTION_NOT_INCLUDED', 'gas costs more than was reserved for it')
  const estimate = await estimateGas(client, relayer, transaction, fees).catch(orUndefined)
  // A contract may take nodes too long on purpose, and must not stop the calls of others.
  if (estimate === undefined) return blocked('TRANSACTION_NOT_INCLUDED', 'no node can simulate it')
  if (estimate.kind === 'insufficientFunds')
    return blocked('TRANSACTION_NOT_INCLUDED', 'the relayer lacks gas money')
  if (estimate.kind === 'reverts')
    return blocked('EXECUTION_REVERTED', estimate.reason, revertPatienceMs)
  if (estimate.simulated > gas) {
    const reason = `it needs ${estimate.simulated} gas by now`
    return blocked('EXECUTION_REVERTED', reason, revertPatienceMs)
  }
  return { kind: 'ready', transaction, fees }
}

function orUndefined(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

/** Delay before a call is looked at again. */
const retryMs = 1_000

/** Why a call has not been sent, or has had no effect. */
type CallFailure = Readonly<{ failReason: FailReason; reason: string }>

/** What becomes of calls that are not sent now, or whose transaction has ended. */
type CallEnds = Readonly<{
  postpone: (call: RelayedCall) => Promise<unknown>
  /** The last change of a call. Its request awaits a deposit again if it has none. */
  end: (call: RelayedCall, change: Partial<RelayedCall>) => Promise<void>
  /** Nothing was sent, and never will be: it costs nothing. */
  fail: (call: RelayedCall, failure: CallFailure) => Promise<void>
  /** Postpones the call until it is older than `ms`. Then it fails. */
  failAfter: (call: RelayedCall, ms: number, failure: CallFailure) => Promise<void>
}>

function createCallEnds(ports: Ports, { chain }: OwnChain): CallEnds {
  const { store, log, now } = ports
  const facts = (call: RelayedCall) => ({ chainId: chain.id, callId: call.callId })

  const postpone = (call: RelayedCall) =>
    store.save({ relayedCalls: [{ ...call, dueAt: now() + retryMs }] })

  async function end(call: RelayedCall, change: Partial<RelayedCall>): Promise<void> {
    const ended: RelayedCall = { ...call, ...change, updatedAt: now() }
    const saved = await store.save({ relayedCalls: [ended], ...(await requestChange(ports, call)) })
    if (saved === 'conflict') return
    const { status, failReason, reason, chargedUsd } = ended
    log.info({ ...facts(call), status, failReason, reason, chargedUsd }, 'A relayed call has ended')
  }

  const fail = (call: RelayedCall, failure: CallFailure) =>
    end(call, { status: 'failed', chargedUsd: toUsd(0n), ...failure })

  async function failAfter(call: RelayedCall, ms: number, failure: CallFailure): Promise<void> {
    if (now() - call.createdAt >= ms) return fail(call, failure)
    log.debug({ ...facts(call), ...failure }, 'A relayed call cannot be sent yet')
    await postpone(call)
  }

  return { postpone, end, fail, failAfter }
}

/** The state of the request without the call; empty while another call is open. */
async function requestChange(
  { store, now }: Ports,
  call: RelayedCall,
): Promise<Pick<Batch, 'requests'>> {
  if (!call.isQuoted) return {}
  const others = await store.relayedCallsOf(call.requestId)
  if (others.some((each) => each.callId !== call.callId && isOpenCall(each))) return {}
  const request = await store.find(call.requestId)
  const state = request && advance(request, { type: 'callEnded' }, now())
  return request === undefined || state === undefined || state === request.state
    ? {}
    : { requests: [{ ...request, state }] }
}

/** How a call ends whose transaction no longer changes. `cost` in wei, if it is known. */
function outcomeOf(
  call: RelayedCall,
  transaction: SolverTransaction,
  cost: bigint | undefined,
): Partial<RelayedCall> {
  const { status, mined } = transaction
  const paid = {
    ...(mined !== undefined && { txHash: evmHash(mined.hash) }),
    chargedUsd: chargeFor(call, cost),
  }
  if (status === 'final') return { ...paid, status: 'succeeded' }
  const failure: CallFailure = isReverted(transaction)
    ? { failReason: 'TRANSACTION_REVERTED', reason: 'its transaction reverted' }
    : { failReason: 'TRANSACTION_NOT_INCLUDED', reason: 'no block took its transaction in' }
  return { ...paid, status: 'failed', ...failure }
}

/**
 * The value of `cost` at the price at which `maxCost` was reserved, rounded up. All that was reserved, if the cost is unknown
 * or gas was free.
 */
const chargeFor = ({ chargedUsd, maxCost }: RelayedCall, cost: bigint | undefined): Usd =>
  cost === undefined || maxCost === 0n ? chargedUsd : toUsd(divUp(chargedUsd * cost, maxCost))
