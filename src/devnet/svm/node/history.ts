import type { Address } from '@solana/kit'
import type { DecodedTransaction } from './decodedTransaction.ts'
import type { Outcome } from './runtime.ts'
import type { TokenBalance } from './tokens.ts'

/** A transaction in a block: it succeeded, or failed and paid its fee. */
export type LandedTransaction = Outcome &
  Readonly<{
    transaction: DecodedTransaction
    slot: number
    height: number
    blockSeconds: number
    fee: bigint
    /** The accounts of the message, then those from lookup tables: writable, then read-only. */
    keys: readonly Address[]
    loadedAddresses: LoadedAddresses
    balances: Balances
  }>

export type LoadedAddresses = Readonly<{
  writable: readonly Address[]
  readonly: readonly Address[]
}>

/** By account of the transaction. */
export type Balances = Readonly<{
  preBalances: readonly bigint[]
  postBalances: readonly bigint[]
  preTokenBalances: readonly TokenBalance[]
  postTokenBalances: readonly TokenBalance[]
}>

/** The transactions of the chain, oldest first, within a limit of memory. */
export class History {
  #bySignature = new Map<string, LandedTransaction>()
  #byAddress = new Map<Address, LandedTransaction[]>()
  #byMessage = new Map<string, LandedTransaction>()
  #bytes = 0
  readonly #maxBytes: number
  /** Transactions up to this slot may have been forgotten. */
  #forgottenSlot = -1

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get forgottenSlot(): number {
    return this.#forgottenSlot
  }

  find(signature: string): LandedTransaction | undefined {
    return this.#bySignature.get(signature)
  }

  findMessage(hash: string): LandedTransaction | undefined {
    return this.#byMessage.get(hash)
  }

  /** Of an account, oldest first. */
  ofAddress(address: Address): readonly LandedTransaction[] {
    return this.#byAddress.get(address) ?? []
  }

  add(landed: LandedTransaction): void {
    this.#bySignature.set(landed.transaction.signature, landed)
    this.#byMessage.set(landed.transaction.message.hash, landed)
    for (const key of new Set(landed.keys)) {
      const list = this.#byAddress.get(key)
      if (list === undefined) this.#byAddress.set(key, [landed])
      else list.push(landed)
    }
    this.#bytes += bytesOf(landed)
  }

  /** Removes the newest transactions. */
  takeBack(newest: readonly LandedTransaction[]): void {
    for (const landed of newest.toReversed()) this.#remove(landed, (list) => list.pop())
  }

  /** Forgets the oldest transactions beyond the limit of memory, but none from `height` on. */
  forgetBelow(height: number): void {
    for (const landed of this.#bySignature.values()) {
      if (this.#bytes <= this.#maxBytes || landed.height >= height) return
      this.#remove(landed, (list) => list.shift())
      this.#forgottenSlot = landed.slot
    }
  }

  #remove(landed: LandedTransaction, drop: (list: LandedTransaction[]) => unknown): void {
    this.#bySignature.delete(landed.transaction.signature)
    this.#byMessage.delete(landed.transaction.message.hash)
    this.#bytes -= bytesOf(landed)
    for (const key of new Set(landed.keys)) {
      const list = this.#byAddress.get(key) ?? []
      drop(list)
      if (list.length === 0) this.#byAddress.delete(key)
    }
  }
}

/** Roughly what a transaction takes of the memory. */
const bytesOf = ({ transaction, logs, keys }: LandedTransaction): number =>
  4 * transaction.wire.length + logs.reduce((sum, line) => sum + line.length, 0) + 200 * keys.length
