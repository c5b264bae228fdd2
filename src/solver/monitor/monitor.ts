import { type Receipt, readReceipt } from '#src/chains/read/readTransaction.ts'
import { countAt } from '#src/chains/read/transactionCount.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { GasMarket } from '#src/core/pricing/gas/gas.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import { isCancellation, isCancelled } from '#src/requests/state/cancelled.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { StillPays } from '#src/solver/fills/stillPays.ts'
import { type Fees, marketFees, raisedFees } from '#src/solver/sending/fees.ts'
import { currentAttempt, type Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { createRecordFailure, type Failure } from './recordFailure.ts'

/** Seconds that the transaction with the next nonce waits before its fee is raised, on fast chains too. */
const secondsBeforeRaise = 30
/** Seconds after which a fill that no longer pays is cancelled: the nonces behind it wait for it. */
const secondsBeforeCancel = 600
/** Attempts of one transaction, not counting those that the base fee has overtaken. Each raises the fee by at least an eighth. */
const maxAttempts = 12
/** If no node has a receipt for this many blocks, another transaction is believed to have used the nonce. */
const blocksBeforeReplaced = 3n
/** If the tracker has not seen a confirmed transaction after this many blocks, the monitor sends it a hint. */
const blocksBeforeNamed = 8n
/** Refusals in a row before the transaction that blocks all others is cancelled. */
const maxRefusals = 5

/** Purposes of transactions that emit no log, or none that identifies their request. */
const withoutLog: readonly SolverTransaction['purpose'][] = [
  'approval',
  'cancellation',
  'sweep',
  'relayedCall',
]

export type Monitor = Readonly<{
  /**
   * Looks after all sent transactions. Returns the mined ones that had no effect: nothing replaces them until they are final,
   * but the amounts that they would have spent are free.
   */
  inspect: (view: ChainView) => Promise<ReadonlySet<SolverTransaction>>
  /** Number of fills whose nonce was used by a transaction that no node shows, at the last look. */
  unexplained: () => number
}>

/**
 * Monitors the sent transactions until a block includes them: sends them again, raises their fee, cancels them, and
 * records failures and confirmations for which no log exists that the tracker could see.
 */
export function createMonitor(
  deps: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market' | 'now'>,
  solverChain: SolverChain,
  outbox: Outbox,
  stillPays: StillPays,
): Monitor {
  const { client, store, log, market, now } = deps
  const { chain } = solverChain
  const recordFailure = createRecordFailure(deps, solverChain)
  /** When, in Unix ms, each transaction was first found waiting with its current number of attempts, and the block. */
  const waitingSince = new Map<string, Readonly<{ attempts: number; at: number; block: bigint }>>()
  const debounce = createBlockDebounce()
  const overlooked = createBlockDebounce()
  /** Fills whose nonce was used by a transaction that no node shows. */
  const unexplained = new Set<string>()

  /** Handles a transaction whose nonce was used in a block. Returns whether it had no effect. */
  async function inspectMined(transaction: SolverTransaction, view: ChainView): Promise<boolean> {
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
  }

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
    if ((await countAt(client, account, final)) <= nonce) return debounce.forget(transactionId)
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
      'The nonce of a fill is final, and no node has its receipt: it is neither paid again nor refunded',
    )
  }

  /** Handles a transaction that no block includes: cancels it, raises its fee, or sends it again. */
  async function push(transaction: SolverTransaction, view: ChainView): Promise<void> {
    const { head, nonces } = view
    const gas = market.latest(chain.id)?.gas
    if (gas !== undefined && isRefused(transaction, view)) return cancel(transaction, gas)
    if (gas !== undefined && isStuck(transaction, view)) {
      const last = transaction.attempts.at(-1)
      const fees = raisedFees(last ?? noFees, marketFees(gas))
      if (isCancelled(transaction) || (await stillPays(transaction, fees, view))) {
        await raise(transaction, fees)
        return waitFrom(transaction, transaction.attempts.length + 1, head.number)
      }
      // Cheaper gas, or a better price, makes it pay again. But all later transactions wait for it.
      const waitsFor = (now() - transaction.createdAt) / 1000
      if (transaction.nonce === nonces.mined && waitsFor >= secondsBeforeCancel)
        return cancel(transaction, gas)
    }
    if (transaction.nonce >= nonces.pending) outbox.resend(transaction)
  }

  const waitFrom = ({ transactionId }: SolverTransaction, attempts: number, block: bigint) =>
    void waitingSince.set(transactionId, { attempts, at: now(), block })

  /** The account cannot pay for it, or no node takes it, and all later transactions wait for it. */
  const isRefused = (transaction: SolverTransaction, { nonces }: ChainView): boolean =>
    transaction.nonce === nonces.mined &&
    outbox.refusals(transaction) >= maxRefusals &&
    !isCancelled(transaction)

  async function cancel(transaction: SolverTransaction, gas: GasMarket): Promise<void> {
    const last = transaction.attempts.at(-1)
    if (last === undefined) return
    const { transactionId } = transaction
    log.warn(
      { chainId: chain.id, transactionId },
      'Cancels a transaction that nodes refuse, or that no longer pays',
    )
    await outbox.cancel(transaction, raisedFees(last, marketFees(gas)))
  }

  function isStuck(transaction: SolverTransaction, { head, nonces }: ChainView): boolean {
    const { transactionId, nonce, attempts } = transaction
    const since = waitingSince.get(transactionId)
    if (since?.attempts !== attempts.length) {
      waitFrom(transaction, attempts.length, head.number)
      return false
    }
    if (since.block === head.number) return false
    const hasWaited = now() - since.at >= secondsBeforeRaise * 1000
    const isUnderpriced = (attempts.at(-1)?.maxFeePerGas ?? 0n) < (head.baseFeePerGas ?? 0n)
    if (isUnderpriced) return hasWaited || attempts.length < maxAttempts
    // Only the next nonce can be stuck: later ones wait for it.
    return nonce === nonces.mined && hasWaited && attempts.length < maxAttempts
  }

  async function raise(transaction: SolverTransaction, fees: Fees): Promise<void> {
    const { transactionId, requestId } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    log.info({ chainId: chain.id, transactionId }, 'A transaction waits too long: raises its fee')
    await outbox.replace(transaction, fees, (replaced) => {
      const transactions = [replaced]
      if (isCancelled(replaced)) return { transactions }
      const event = request && sentEvent(request, replaced)
      if (request === undefined || event === undefined) return { transactions }
      return { transactions, ...changesOf(request, advance(request, event, now())) }
    })
  }

  async function inspect(view: ChainView): Promise<ReadonlySet<SolverTransaction>> {
    const sent = view.open.filter(({ status }) => status === 'sent')
    const ids = new Set(sent.map(({ transactionId }) => transactionId))
    for (const id of waitingSince.keys()) if (!ids.has(id)) waitingSince.delete(id)
    for (const id of unexplained) if (!ids.has(id)) unexplained.delete(id)
    const isMined = ({ nonce }: SolverTransaction) => nonce < view.nonces.mined
    const mined = sent.filter(isMined)
    const isIneffective = await Promise.all(mined.map((each) => inspectMined(each, view)))
    for (const each of sent) if (!isMined(each)) await push(each, view)
    return new Set(mined.filter((_, at) => isIneffective[at]))
  }

  return { inspect, unexplained: () => unexplained.size }
}

const noFees: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

/** Receipt of the attempt that a block includes, if one does. */
export async function findReceipt(
  client: Rpc,
  { attempts }: Pick<SolverTransaction, 'attempts'>,
): Promise<Receipt | undefined> {
  // The last attempt is the most likely one.
  for (const { hash } of attempts.toReversed()) {
    const found = await readReceipt(client, hash)
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

/** The event for the request that shows the new attempt; undefined where the request does not show the transaction. */
function sentEvent(request: StoredRequest, replaced: SolverTransaction): RequestEvent | undefined {
  const transaction = currentAttempt(replaced)
  if (replaced.purpose === 'fill') return { type: 'fillSent', transaction }
  if (replaced.purpose !== 'refund') return undefined
  // A refund has exactly one deposit.
  const input = inputFundedBy(request, replaced.depositIds[0] ?? '')
  return input === undefined ? undefined : { type: 'refundSent', input, transaction }
}

const changesOf = (request: StoredRequest, state: StoredRequest['state']): Batch =>
  state === request.state ? {} : { requests: [{ ...request, state }] }
