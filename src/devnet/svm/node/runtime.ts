import {
  type Address,
  type Blockhash,
  type EncodedAccount,
  getAddressDecoder,
  lamports,
} from '@solana/kit'
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { systemProgram } from './addresses.ts'
import type { DecodedTransaction } from './decodedTransaction.ts'
import { type TransactionError, transactionErrorOf } from './transactionError.ts'

export type Account = Readonly<{
  address: Address
  lamports: bigint
  /** The program that may change it. */
  owner: Address
  data: Uint8Array
  isExecutable: boolean
}>

/** Undefined if there is no such account. */
export type GetAccount = (address: Address) => Account | undefined

type InnerInstruction = Readonly<{
  programIdIndex: number
  accounts: readonly number[]
  data: Uint8Array
  stackHeight: number
}>

/** What the runtime says of a transaction. */
export type Outcome = Readonly<{
  err: TransactionError | null
  logs: readonly string[]
  computeUnits: bigint
  /** By the index of the instruction that called them. */
  innerInstructions: readonly (readonly InnerInstruction[])[]
  returnData: Readonly<{ programId: Address; data: Uint8Array }> | null
}>

type SlotTime = Readonly<{ slot: number; unixSeconds: number }>

export type SlotHash = Readonly<{ slot: number; blockhash: Blockhash }>

/** Logs of a transaction are cut at this length, as a cluster cuts them. */
const maxLogBytes = 10_000n

/** Slots of an epoch, as in LiteSVM. The clock alone depends on it. */
const slotsPerEpoch = 432_000

/** The state of all accounts, and the programs that change it. It knows no blocks: see `bank.ts`. */
export class Runtime {
  #svm = configured(new LiteSVM())

  get: GetAccount = (address) => {
    const found = this.#svm.getAccount(address)
    return found.exists ? accountOf(found) : undefined
  }

  set(address: Address, account: Account | undefined): void {
    this.#svm.setAccount({
      address,
      lamports: lamports(account?.lamports ?? 0n),
      data: account?.data ?? new Uint8Array(),
      programAddress: account?.owner ?? systemProgram,
      executable: account?.isExecutable ?? false,
      space: BigInt(account?.data.length ?? 0),
    })
  }

  accountsOf(program: Address): readonly Account[] {
    return this.#svm.getProgramAccounts(program).map(accountOf)
  }

  rentMinimum(dataBytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(dataBytes))
  }

  /** The block hash that an advanced nonce derives from. */
  latestBlockhash(): Blockhash {
    return this.#svm.latestBlockhash()
  }

  /** Moves the clock. Block hashes of before are outdated for nonces. */
  enterSlot({ slot, unixSeconds }: SlotTime): void {
    const epoch = BigInt(Math.floor(slot / slotsPerEpoch))
    const time = BigInt(unixSeconds)
    this.#svm.expireBlockhash()
    this.#svm.setClock(new Clock(BigInt(slot), time, epoch, epoch + 1n, time))
  }

  /** Newest first. Lookup tables depend on them. */
  setSlotHashes(hashes: readonly SlotHash[]): void {
    this.#svm.setSlotHashes(
      hashes.map(({ slot, blockhash }) => ({ slot: BigInt(slot), hash: blockhash })),
    )
  }

  execute(transaction: DecodedTransaction): Outcome {
    if (!isSigned(transaction)) return unsigned
    const done = this.#svm.withSigverify(true).sendTransaction(transaction.transaction)
    return done instanceof FailedTransactionMetadata ? failure(done) : success(done)
  }

  /** Executes without an effect. `changed` holds the accounts as they would be. */
  simulate(
    transaction: DecodedTransaction,
    verifiesSignatures: boolean,
  ): Readonly<{ outcome: Outcome; changed: readonly Account[] }> {
    if (verifiesSignatures && !isSigned(transaction)) return { outcome: unsigned, changed: [] }
    const svm = this.#svm.withSigverify(verifiesSignatures)
    const done = svm.simulateTransaction(transaction.transaction)
    return done instanceof FailedTransactionMetadata
      ? { outcome: failure(done), changed: [] }
      : { outcome: success(done.meta()), changed: done.postAccounts().map(accountOf) }
  }

  /** Loads all programs from their accounts. Necessary after accounts of programs were set back. */
  reload(): void {
    this.#svm = configured(LiteSVM.fromBytes(this.#svm.toBytes()))
  }
}

// The bank checks the age of block hashes, and that a transaction counts once.
const configured = (svm: LiteSVM): LiteSVM =>
  svm.withBlockhashCheck(false).withTransactionHistory(0n).withLogBytesLimit(maxLogBytes)

const accountOf = (account: EncodedAccount): Account => ({
  address: account.address,
  lamports: account.lamports,
  owner: account.programAddress,
  data: new Uint8Array(account.data),
  isExecutable: account.executable,
})

const isSigned = ({ transaction }: DecodedTransaction): boolean =>
  Object.values(transaction.signatures).every((signature) => signature !== null)

const unsigned: Outcome = {
  err: 'SignatureFailure',
  logs: [],
  computeUnits: 0n,
  innerInstructions: [],
  returnData: null,
}

const failure = (failed: FailedTransactionMetadata): Outcome => ({
  ...success(failed.meta()),
  err: transactionErrorOf(failed),
})

function success(meta: TransactionMetadata): Outcome {
  const returned = meta.returnData()
  const data = returned.data()
  return {
    err: null,
    logs: meta.logs(),
    computeUnits: meta.computeUnitsConsumed(),
    innerInstructions: meta.innerInstructions().map((group) =>
      group.map((inner) => {
        const instruction = inner.instruction()
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: instruction.data(),
          stackHeight: inner.stackHeight(),
        }
      }),
    ),
    returnData:
      data.length === 0
        ? null
        : { programId: getAddressDecoder().decode(returned.programId()), data },
  }
}
