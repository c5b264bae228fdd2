import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { type RelayedCall, relayedTransactionId } from '#src/requests/relayedCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { AccountChain, SolverMarket } from '#src/solver/ports.ts'
import type { Outbox, UnsentTransaction } from '#src/solver/sending/outbox.ts'
import { createCallEnds, outcomeOf, retryMs } from './relayedCallEnds.ts'
import { patienceMs, prepareCall } from './relayedCallSending.ts'

/** Calls that one round handles. The others come next. */
const perRound = 64
/** Nodes drop the transactions of an account that has more in the mempool. */
const maxInFlight = 16

type Ports = Readonly<{
  client: ChainClient
  store: RequestStore
  log: Log
  market: SolverMarket
  /** Milliseconds since 1970. */
  now: () => number
}>

/** Sends the accepted calls on a chain, once each, and records how they end and what they have cost. */
export function createRelayedCalls(
  ports: Ports,
  accountChain: AccountChain,
  outbox: Pick<Outbox, 'send'>,
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
