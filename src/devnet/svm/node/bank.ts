import { createHash } from 'node:crypto'
import { type Address, type Blockhash, getBase58Decoder } from '@solana/kit'
import { clockSysvar } from './addresses.ts'
import { type Before, type Block, BlockList, type Depths, statusBlocks } from './blockList.ts'
import type { DecodedMessage, DecodedTransaction } from './decodedTransaction.ts'
import { advancedNonce, usedNonce } from './durableNonce.ts'
import { feeOf } from './fees.ts'
import { type Balances, History, type LandedTransaction } from './history.ts'
import { allKeys, loadAddresses, writableKeys } from './loadedKeys.ts'
import { type Account, type GetAccount, type Outcome, Runtime } from './runtime.ts'
import { tokenBalances } from './tokens.ts'
import { isChargedBeforeExecution } from './transactionError.ts'

/** The accounts at the end of a block. */
export type Accounts = Readonly<{
  get: GetAccount
  ofProgram: (program: Address) => readonly Account[]
}>

export type BankArgs = Depths &
  Readonly<{
    genesisSeconds: number
    genesisAccounts: readonly Account[]
    maxHistoryBytes: number
  }>

/** What a transaction would do. `get` reads the accounts as they would be. */
export type Simulation = Readonly<{ outcome: Outcome; get: GetAccount }>

/** Slots of the sysvar SlotHashes. */
const slotHashes = 512

/** Executes transactions in blocks, with what a cluster checks before, and what it does on forks. */
export class Bank {
  readonly runtime = new Runtime()
  readonly history: History
  readonly blocks: BlockList
  readonly genesisHash: Blockhash
  #nextSlot = 1
  /** The newest slot whose hash the runtime has. */
  #hashedSlot = -1

  constructor({ genesisSeconds, genesisAccounts, maxHistoryBytes, ...depths }: BankArgs) {
    this.history = new History(maxHistoryBytes)
    this.genesisHash = hashOf(`devnet-solana ${genesisSeconds}`)
    for (const account of genesisAccounts) this.runtime.set(account.address, account)
    const place = { slot: 0, parentSlot: 0, height: 0, unixSeconds: genesisSeconds }
    this.runtime.enterSlot(place)
    const content = { transactions: [], before: new Map(), changed: new Set<Address>() }
    this.blocks = new BlockList({ ...place, ...content, blockhash: this.genesisHash }, depths)
  }

  /** The slot of the next block, if no slot is skipped. */
  get nextSlot(): number {
    return this.#nextSlot
  }

  /** The accounts at the end of a block, which is the newest final one or a later one. */
  accountsAt(block: Block): Accounts {
    const later = this.blocks.changesAfter(block)
    const get: GetAccount = (address) =>
      later.has(address) ? later.get(address) : this.runtime.get(address)
    return {
      get,
      ofProgram: (program) => [
        ...this.runtime.accountsOf(program).filter(({ address }) => !later.has(address)),
        ...[...later.values()].flatMap((each) => (each?.owner === program ? [each] : [])),
      ],
    }
  }

  /** Whether a transaction with this lifetime may be in a block after `block`. */
  isAlive(message: DecodedMessage, block: Block): boolean {
    if (this.blocks.lastValidHeight(message.lifetime, block) !== undefined) return true
    return this.#nonceOf(message, this.accountsAt(block).get) !== undefined
  }

  /** Adds a block. Transactions that may not be in a block are left out: they pay no fee. */
  produce(
    slot: number,
    unixSeconds: number,
    transactions: readonly DecodedTransaction[],
  ): Readonly<{ block: Block; leftOut: readonly DecodedTransaction[] }> {
    const parent = this.blocks.tip
    const height = parent.height + 1
    const before: Before = new Map([[clockSysvar, this.runtime.get(clockSysvar)]])
    this.runtime.enterSlot({ slot, unixSeconds })
    if (transactions.length > 0) this.#setSlotHashes()
    const landed: LandedTransaction[] = []
    const leftOut: DecodedTransaction[] = []
    for (const transaction of transactions) {
      const executed = this.#executeIn(transaction, before)
      if (executed === undefined) {
        leftOut.push(transaction)
        continue
      }
      const each = { ...executed, slot, height, blockSeconds: unixSeconds }
      this.history.add(each)
      landed.push(each)
    }
    const block = {
      ...{ slot, parentSlot: parent.slot, height, unixSeconds },
      ...{ blockhash: hashOf(`${this.genesisHash} ${slot}`), transactions: landed },
      ...{ before, changed: new Set(before.keys()) },
    }
    this.blocks.add(block)
    this.#nextSlot = slot + 1
    this.history.forgetBelow(height - statusBlocks)
    return { block, leftOut }
  }

  /**
   * Discards the newest blocks, as if the cluster had chosen another fork. Their slots are without a block then.
   * @throws RangeError if one of them is final.
   */
  rollBack(count: number): void {
    const kept = this.blocks.fromTip(count)
    const changes = this.blocks.changesAfter(kept)
    const discarded = this.blocks.discard(count)
    for (const [address, account] of changes) this.runtime.set(address, account)
    this.history.takeBack(discarded.flatMap(({ transactions }) => transactions))
    this.runtime.reload()
    this.runtime.enterSlot(kept)
    this.#hashedSlot = -1
  }

  /** Executes the transaction after `block`, without an effect. */
  simulate(
    transaction: DecodedTransaction,
    block: Block,
    { verifies, anyLifetime }: Readonly<{ verifies: boolean; anyLifetime: boolean }>,
  ): Simulation {
    const { message } = transaction
    const { get } = this.accountsAt(block)
    if (!anyLifetime) {
      const known = this.history.findMessage(message.hash)
      if (!this.isAlive(message, block)) return refusal('BlockhashNotFound', get)
      if (known !== undefined && known.height <= block.height)
        return refusal('AlreadyProcessed', get)
    }
    this.#setSlotHashes()
    return this.#withAccountsOf(block, () => {
      const { outcome, changed } = this.runtime.simulate(transaction, verifies)
      const after = new Map(changed.map((account) => [account.address, account]))
      return { outcome, get: (address) => existing(after.get(address) ?? get(address)) }
    })
  }

  /** Runs `act` on the accounts at the end of `block`. */
  #withAccountsOf<Value>(block: Block, act: () => Value): Value {
    const earlier = this.blocks.changesAfter(block)
    const newest = [...earlier.keys()].map((address) => ({
      address,
      account: this.runtime.get(address),
    }))
    for (const [address, account] of earlier) this.runtime.set(address, account)
    try {
      return act()
    } finally {
      for (const { address, account } of newest) this.runtime.set(address, account)
    }
  }

  #setSlotHashes(): void {
    const { slot } = this.blocks.tip
    if (this.#hashedSlot === slot) return
    this.#hashedSlot = slot
    this.runtime.setSlotHashes(this.blocks.all.slice(-slotHashes).toReversed())
  }

  /** Undefined if the transaction may not be in a block. Else adds to `before` what it has changed. */
  #executeIn(transaction: DecodedTransaction, before: Before) {
    const { message } = transaction
    const { get } = this.runtime
    if (this.history.findMessage(message.hash) !== undefined) return undefined
    const isRecent = this.blocks.lastValidHeight(message.lifetime, this.blocks.tip) !== undefined
    const nonce = isRecent ? undefined : this.#nonceOf(message, get)
    if (!isRecent && nonce === undefined) return undefined
    const loadedAddresses = loadAddresses(message.compiled, get)
    const keys = allKeys(message.compiled, loadedAddresses)
    const pre = keys.map(get)
    const preTokenBalances = tokenBalances(pre, get)
    const earlier = writableKeys(message.compiled, loadedAddresses).map(
      (address) => [address, get(address)] as const,
    )
    const outcome = this.#execute(transaction, pre[0], nonce)
    if (outcome === undefined) return undefined
    for (const [address, account] of earlier) if (!before.has(address)) before.set(address, account)
    const post = keys.map(get)
    const balances: Balances = {
      preBalances: pre.map(lamportsOf),
      postBalances: post.map(lamportsOf),
      preTokenBalances,
      postTokenBalances: tokenBalances(post, get),
    }
    return { ...outcome, transaction, fee: feeOf(message), keys, loadedAddresses, balances }
  }

  /** Undefined if the transaction may not be in a block. */
  #execute(
    transaction: DecodedTransaction,
    payer: Account | undefined,
    nonce: Account | undefined,
  ): Outcome | undefined {
    const outcome = this.runtime.execute(transaction)
    if (outcome.err === null) return outcome
    if (payer === undefined) return undefined
    if (isChargedBeforeExecution(outcome.err)) {
      const rest = payer.lamports - feeOf(transaction.message)
      this.runtime.set(payer.address, { ...payer, lamports: rest })
    }
    // A transaction that may be in a block pays its fee, even if it fails.
    if (lamportsOf(this.runtime.get(payer.address)) === payer.lamports) return undefined
    if (nonce !== undefined) this.#advance(nonce)
    return outcome
  }

  /** As a cluster does when the transaction fails. LiteSVM would let the same nonce be used again. */
  #advance(nonce: Account): void {
    const { address } = nonce
    const lamports = lamportsOf(this.runtime.get(address))
    const advanced = advancedNonce(nonce, this.runtime.latestBlockhash())
    this.runtime.set(address, { ...advanced, lamports })
  }

  #nonceOf(message: DecodedMessage, get: GetAccount): Account | undefined {
    return usedNonce(message, this.runtime.latestBlockhash(), get)
  }
}

const refusal = (err: 'BlockhashNotFound' | 'AlreadyProcessed', get: GetAccount): Simulation => ({
  outcome: { err, logs: [], computeUnits: 0n, innerInstructions: [], returnData: null },
  get,
})

const existing = (account: Account | undefined): Account | undefined =>
  account === undefined || account.lamports === 0n ? undefined : account

export const lamportsOf = (account: Account | undefined): bigint => account?.lamports ?? 0n

const hashOf = (text: string): Blockhash =>
  getBase58Decoder().decode(createHash('sha256').update(text).digest()) as Blockhash
