import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import { highestCallCost } from '#src/core/pricing/gas/gas.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { type RelayedCall, relayedTransactionId } from '#src/requests/relayedCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { AccountChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import { leftToApply } from '#src/solver/sending/authorizations.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { Sender, UnsentTransaction } from '#src/solver/sending/outbox.ts'
import { type CallFailure, createCallEnds, outcomeOf, retryMs } from './relayedCallEnds.ts'

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
    if (saved === 'saved') log.info(facts(call), 'Sends the call of an API key')
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

/** In wei; undefined if no node has the receipt. */
async function costOf(
  client: ChainClient,
  { mined, failedCost }: SolverTransaction,
): Promise<bigint | undefined> {
  if (failedCost !== undefined || mined === undefined) return failedCost
  return (await readReceipt(client, mined.hash))?.cost
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
  if (highestCallCost(gasMarket, call, gas) > maxCost)
    return blocked('TRANSACTION_NOT_INCLUDED', 'gas costs more than was reserved for it')
  const estimate = await estimateGas(client, relayer, transaction, fees)
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
