import { countAt, type Receipt, readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient, Rpc } from '#src/chains/rpc/chainClient.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isCancellation } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Runtime, SolverChain } from '#src/solver/ports.ts'
import { createRecordFailure, type Failure } from './recordFailure.ts'

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
