import type { DecodedTransaction } from './decodedTransaction.ts'

/** What a node has been asked to send, until it is in a block or given up. */
type Pending = {
  readonly transaction: DecodedTransaction
  /** How often the node sends it again. */
  retriesLeft: number
  /** The slot whose leader gets it. */
  slot: number
}

/** A node sends a transaction again after two seconds. */
const slotsBetweenRetries = 5

const maxPending = 10_000

/** Transactions on their way to the next block. */
export class TransactionPool {
  #pending = new Map<string, Pending>()
  /** Whether leaders miss what they are sent. */
  isLosing = false

  /** `maxRetries` undefined: the node tries until the transaction expires. */
  submit(transaction: DecodedTransaction, maxRetries: number | undefined): void {
    const { signature } = transaction
    if (this.#pending.has(signature)) return
    if (this.#pending.size >= maxPending) throw new Error('Too many transactions are pending')
    const retriesLeft = maxRetries ?? Number.POSITIVE_INFINITY
    this.#pending.set(signature, { transaction, retriesLeft, slot: 0 })
  }

  /** The transactions that the leader of a slot gets. `isAlive` says whether a later block may still have one. */
  take(
    slot: number,
    isAlive: (transaction: DecodedTransaction) => boolean,
  ): readonly DecodedTransaction[] {
    const due = [...this.#pending.values()].filter((each) => each.slot <= slot)
    if (this.isLosing) {
      for (const each of due) this.#lose(each, slot, isAlive)
      return []
    }
    for (const { transaction } of due) this.#pending.delete(transaction.signature)
    return due.map(({ transaction }) => transaction)
  }

  #lose(each: Pending, slot: number, isAlive: (transaction: DecodedTransaction) => boolean): void {
    if (each.retriesLeft === 0 || !isAlive(each.transaction))
      this.#pending.delete(each.transaction.signature)
    each.retriesLeft -= 1
    each.slot = slot + slotsBetweenRetries
  }
}
