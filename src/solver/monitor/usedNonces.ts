import { countAt, type Receipt, readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient, Rpc } from '#src/chains/rpc/chainClient.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { advance } from '#src/requests/machine.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import { type Deposit, depositEvent, isMined } from '#src/requests/state/deposit.ts'
import { inputFundedBy, isTerminal, type StoredRequest } from '#src/requests/state/requestState.ts'
import { isCancellation, type SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { createIsPaidOut } from '#src/solver/depository/depositoryCalls.ts'
import { createFindExecutedRefund } from '#src/solver/payouts/findExecutedRefund.ts'
import { givenUpChanges } from '#src/solver/payouts/refundChanges.ts'
import type { Runtime, SolverChain } from '#src/solver/ports.ts'

/** If no node has a receipt for this many blocks, another transaction is believed to have used the nonce. */
const blocksBeforeReplaced = 3n
/** If the tracker has not seen a confirmed transaction after this many blocks, the monitor sends it a hint. */
const blocksBeforeNamed = 8n

/** Purposes of transactions that emit no log, or none that identifies their request. */
const withoutLog: readonly SolverTransaction['purpose'][] = [
  'approval',
  'cancellation',
  'sweep',
  'relayedCall',
]

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore }>

/** Looks after transactions whose nonce a block has used. */
type UsedNonces = Readonly<{
  /** Records how the transaction ended. Returns whether it had no effect. */
  inspect: (transaction: SolverTransaction, view: ChainView) => Promise<boolean>
  /** Number of fills whose nonce was used by a transaction that no node shows. */
  unexplained: () => number
  /** Discards what is known about all other transactions. */
  keepOnly: (transactionIds: ReadonlySet<string>) => void
}>

export function createUsedNonces(ports: Ports, solverChain: SolverChain): UsedNonces {
  const { client, store, log } = ports
  const { chain } = solverChain
  const recordFailure = createRecordFailure(ports, solverChain)
  const debounce = createBlockDebounce()
  const overlooked = createBlockDebounce()
  /** Fills whose nonce was used by a transaction that no node shows. */
  const unexplained = new Set<string>()

  /** For all other purposes the tracker finds a log, unless the nodes did not show it when the block was new. */
  async function confirm(
    transaction: SolverTransaction & Required<Pick<SolverTransaction, 'mined'>>,
    { head }: ChainView,
  ): Promise<void> {
    const { transactionId, purpose, mined } = transaction
    if (withoutLog.includes(purpose)) {
      await store.save({ transactions: [{ ...transaction, status: 'final' }] })
      return
    }
    if (!overlooked.hasLasted(transactionId, head.number, blocksBeforeNamed)) return
    overlooked.forget(transactionId)
    const facts = { chainId: chain.id, transactionId, hash: mined.hash }
    log.info(facts, 'The tracker has not seen a confirmed transaction: sends it a hint')
    await store.addHint({ chainId: chain.id, txHash: mined.hash })
  }

  /**
   * Another transaction used the nonce, so that this one can never be mined. Only final blocks are believed: a wrong
   * belief would pay a fill twice.
   */
  async function recordReplaced(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const { transactionId, account, nonce } = transaction
    const final = await view.finalHeight()
    if (final < 0n) return
    if ((await countAt(client, evmAddress(account), final)) <= nonce)
      return debounce.forget(transactionId)
    if (!debounce.hasLasted(transactionId, view.head.number, blocksBeforeReplaced)) return
    // Nodes may have lost the receipt, or the store an attempt: the fill may have been paid. An operator must decide.
    if (transaction.purpose === 'fill') return reportUnexplained(transaction)
    await recordFailure(transaction, 'replaced', view)
  }

  function reportUnexplained({ transactionId, nonce }: SolverTransaction): void {
    if (unexplained.has(transactionId)) return
    unexplained.add(transactionId)
    log.error(
      { chainId: chain.id, transactionId, nonce },
      'The nonce of a fill is final, but no node has its receipt; neither paying again nor refunding',
    )
  }

  return {
    async inspect(transaction, view) {
      const receipt = await findReceipt(client, transaction)
      if (receipt === undefined) {
        await recordReplaced(transaction, view)
        return false
      }
      debounce.forget(transaction.transactionId)
      const { hash, block, cost } = receipt
      const mined = { hash, block }
      const failure = failureOf(transaction, receipt)
      if (failure !== undefined)
        await recordFailure({ ...transaction, mined, failedCost: cost }, failure, view)
      else if (view.head.number - block.number >= BigInt(chain.fillConfirmations))
        await confirm({ ...transaction, mined }, view)
      return failure !== undefined
    },
    unexplained: () => unexplained.size,
    keepOnly: (ids) => {
      for (const id of unexplained) if (!ids.has(id)) unexplained.delete(id)
    },
  }
}

/** Receipt of the attempt that a block includes, if one does. */
export async function findReceipt(
  client: Rpc,
  { attempts }: SolverTransaction,
): Promise<Receipt | undefined> {
  // The last attempt is the most likely one.
  for (const { hash } of attempts.toReversed()) {
    const found = await readReceipt(client, evmHash(hash))
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined where the transaction took effect. */
export function failureOf(
  transaction: SolverTransaction,
  { hash, status }: Receipt,
): Failure | undefined {
  const attempt = transaction.attempts.find((each) => each.hash === hash)
  if (attempt !== undefined && isCancellation(transaction, attempt)) return 'cancelled'
  return status === 'reverted' ? 'reverted' : undefined
}

/** Why a transaction had no effect. */
type Failure = keyof typeof messages

const messages = {
  reverted: 'A transaction reverted',
  cancelled: 'A transaction was cancelled',
  replaced: 'Another transaction took the nonce of a transaction',
} as const

/**
 * Records that a transaction had no effect, and reopens its fill, refund or settlement. Waits until the failure is
 * final: a reorg could otherwise let the transaction take effect, and the solver would pay twice.
 */
function createRecordFailure(
  ports: Ports,
  solverChain: SolverChain,
): (transaction: SolverTransaction, failure: Failure, view: ChainView) => Promise<void> {
  const { client, store, log, now } = ports
  const { chain, contracts } = solverChain
  const isPaidOut = createIsPaidOut(client, contracts)
  const findExecutedRefund = createFindExecutedRefund(ports, solverChain)

  /** Undefined while it is too early to decide. */
  async function changesOf(
    transaction: SolverTransaction,
    failure: Failure,
    view: ChainView,
  ): Promise<Batch | undefined> {
    switch (transaction.purpose) {
      case 'fill':
        return fillChanges(transaction)
      case 'refund':
        // A refund that never ran is still due.
        return failure === 'reverted' ? refundFailedChanges(transaction, view) : {}
      case 'settlement':
        // Anybody may still execute it, but the depository pays no deposit twice.
        return settlementChanges(transaction)
      case 'approval':
      case 'cancellation':
      case 'sweep':
      // The request fails once its signature has expired.
      case 'permit':
      // The relayer reads the outcome of its transaction itself.
      case 'relayedCall':
        return {}
    }
  }

  async function fillChanges({
    transactionId,
    requestId,
    depositIds,
  }: SolverTransaction): Promise<Batch> {
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request === undefined) return {}
    const state = advance(request, { type: 'fillReverted' }, now())
    if (state !== request.state) return withoutGone({ ...request, state }, depositIds)
    if (!isTerminal(state.status)) return {}
    const others = await store.transactionsOf(request.requestId)
    const isPaid = others.some(
      (each) =>
        each.purpose === 'fill' &&
        each.transactionId !== transactionId &&
        each.status !== 'reverted',
    )
    if (isPaid) return {}
    // A reorg undid the fill after it had ended the request, and on the new branch it had no effect.
    const deposits = await store.findDeposits(depositIds)
    const settled = deposits.filter(({ status }) => status === 'settling' || status === 'settled')
    if (settled.length > 0)
      log.error(
        { chainId: chain.id, requestId, deposits: settled.map(({ depositId }) => depositId) },
        'A fill failed after a reorg, and its deposits are settled: pay them back by hand',
      )
    return {
      deposits: deposits
        .filter(({ status }) => status === 'credited' || status === 'filled')
        .map((each) => ({ ...each, status: 'refundable', reason: 'EXECUTION_REVERTED' })),
    }
  }

  /** Takes back the deposits that a reorg removed while the fill was under way: they may never return. */
  async function withoutGone(
    request: StoredRequest,
    depositIds: readonly string[],
  ): Promise<Batch> {
    const requests = [request]
    const removedDeposits: Deposit[] = []
    let last = request
    for (const deposit of await store.findDeposits(depositIds)) {
      const input = inputFundedBy(last, deposit.depositId)
      if (input === undefined || deposit.status !== 'credited' || isMined(deposit)) continue
      const state = advance(last, depositEvent('depositUndone', deposit, input), now())
      if (state === last.state) continue
      last = { ...last, state }
      requests.push(last)
      removedDeposits.push(deposit)
    }
    return { requests, removedDeposits }
  }

  async function refundFailedChanges(
    transaction: SolverTransaction,
    view: ChainView,
  ): Promise<Batch | undefined> {
    const found = await findExecuted(transaction, view)
    if (found === undefined) return {}
    const { deposit, request, executed } = found
    if (executed.kind === 'unconfirmed') return undefined
    if (executed.kind === 'confirmed') return executed.changes
    return givenUpChanges(deposit, request, 'EXECUTION_REVERTED', now())
  }

  /** A refund also reverts if somebody else has executed the same signed payout. Undefined if that is recorded. */
  async function findExecuted({ requestId, depositIds }: SolverTransaction, { head }: ChainView) {
    // A refund has exactly one deposit.
    const [deposit] = await store.findDeposits(depositIds)
    if (deposit === undefined || deposit.status === 'refunded') return undefined
    const request = requestId === undefined ? undefined : await store.find(requestId)
    return { deposit, request, executed: await findExecutedRefund(deposit, request, head) }
  }

  /** A refund that somebody else executed is recorded as soon as our own refund would be. */
  async function recordExecuted(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const found = await findExecuted(transaction, view)
    if (found?.executed.kind === 'confirmed') await store.save(found.executed.changes)
  }

  async function settlementChanges({ depositIds }: SolverTransaction): Promise<Batch> {
    const deposits = await store.findDeposits(depositIds)
    const settling = deposits.filter(({ status }) => status === 'settling')
    const changed = settling.map(async (each): Promise<Deposit> => {
      const status = (await isPaidOut(each)) ? 'settled' : 'filled'
      return { ...each, status }
    })
    return { deposits: await Promise.all(changed) }
  }

  return async (transaction, failure, view) => {
    const { transactionId, purpose, mined } = transaction
    if (mined !== undefined && mined.block.number > (await view.finalHeight())) {
      if (purpose === 'refund' && failure === 'reverted') await recordExecuted(transaction, view)
      return
    }
    const changes = await changesOf(transaction, failure, view)
    if (changes === undefined) return
    log.warn({ chainId: chain.id, transactionId, hash: mined?.hash }, messages[failure])
    await store.save({ ...changes, transactions: [{ ...transaction, status: 'reverted' }] })
  }
}
