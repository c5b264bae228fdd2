import { readFileSync } from 'node:fs'
import { Clock, FailedTransactionMetadata } from 'litesvm'
// Its wrapper spends more time on base58 than the runtime takes for a transaction.
import { Account, LiteSvm } from 'litesvm/dist/internal.js'
import { sha256, stringToBytes } from 'viem'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, pubkeyBytes, pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { transactionErrorOf } from '#src/devnet/svm/node/transactionError.ts'
import { type AccountData, decodeTokenAccount } from '#src/protocol/svm/accounts.ts'
import { programDataAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { unsignedTransaction } from '#src/protocol/svm/transaction.ts'

const folder = 'src/protocol/svm/program'

/** The built program. */
const programCode = (): Uint8Array => readFileSync(`${folder}/depository.so`)

/** An account by name: the same one in each run. */
export const named = (name: string): Pubkey => pubkeyOf(sha256(stringToBytes(name), 'bytes'))

/** The errors that the header names, by their numbers. */
function readErrors(): ReadonlyMap<number, string> {
  const header = readFileSync(`${folder}/depository.h`, 'utf8')
  const body = /enum Error \{(.*?)\};/s.exec(header)?.[1] ?? ''
  const names = [...body.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name)
  return new Map(names.map((name, at) => [6000 + at, name]))
}

const errors = readErrors()

const accounts = new Map<string, Pubkey>()

/** `pubkeyOf` for the few accounts of a test, which come up again and again. */
function knownPubkey(bytes: Uint8Array): Pubkey {
  const key = String.fromCharCode(...bytes)
  const pubkey = accounts.get(key) ?? pubkeyOf(bytes)
  accounts.set(key, pubkey)
  return pubkey
}

type ChainAccount = AccountData & Readonly<{ lamports: bigint }>

const accountOf = (found: Account): ChainAccount => ({
  owner: knownPubkey(found.owner()),
  data: found.data(),
  lamports: found.lamports(),
})

/** What a transaction did. `error` is undefined if it succeeded; a name, if it is one of the program's. */
export type Run = Readonly<{ error: string | undefined; units: bigint; logs: readonly string[] }>

/** The Solana runtime, the program, and nobody's keys: an account counts as a signer if its instruction says so. */
export class ProgramChain {
  readonly program = named('program')
  readonly authority = named('authority')
  readonly #svm = new LiteSvm()
  #slot = 100n
  #seconds = 1_800_000_000n

  constructor() {
    this.#svm.setSigverify(false)
    this.#svm.setBlockhashCheck(false)
    this.#svm.setTransactionHistory(0n)
    this.#svm.addProgram(pubkeyBytes(this.program), programCode())
    this.setUpgradeAuthority(this.authority)
    this.fund(this.authority)
    this.advance(0n)
  }

  get seconds(): bigint {
    return this.#seconds
  }

  get slot(): bigint {
    return this.#slot
  }

  /** Moves the clock, and enters the next slot. */
  advance(seconds: bigint): void {
    this.#slot += 1n
    this.#seconds += seconds
    this.#svm.setClock(new Clock(this.#slot, this.#seconds, 0n, 1n, this.#seconds))
  }

  /** @param payer pays the fee; absent: an account that nothing else uses */
  send(instructions: readonly Instruction[], payer: Pubkey = this.authority): Run {
    const lifetime = blockhashOf(new Uint8Array(32))
    const bytes = unsignedTransaction({ payer, instructions, lifetime })
    const done = this.#svm.sendVersionedTransaction(bytes)
    const failed = done instanceof FailedTransactionMetadata
    const meta = failed ? done.meta() : done
    const error = failed ? nameOf(transactionErrorOf(done)) : undefined
    return { error, units: meta.computeUnitsConsumed(), logs: meta.logs() }
  }

  account(pubkey: Pubkey): ChainAccount | undefined {
    const found = this.#svm.getAccount(pubkeyBytes(pubkey))
    return found === null ? undefined : accountOf(found)
  }

  /** All that the program owns. */
  programAccounts(): readonly (readonly [Pubkey, ChainAccount])[] {
    return this.#svm
      .getProgramAccounts(pubkeyBytes(this.program))
      .map((each) => [knownPubkey(each.address), accountOf(each.account())] as const)
  }

  lamports(pubkey: Pubkey): bigint {
    return this.account(pubkey)?.lamports ?? 0n
  }

  /** The balance of a token account; 0 if there is none. */
  tokens(pubkey: Pubkey): bigint {
    const account = this.account(pubkey)
    return (account && decodeTokenAccount(account)?.amount) ?? 0n
  }

  rentMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  fund(pubkey: Pubkey, amount = 1_000_000_000_000n): void {
    this.set(pubkey, { owner: programIds.system, data: new Uint8Array(), lamports: amount })
  }

  set(
    pubkey: Pubkey,
    account: AccountData & Readonly<{ lamports?: bigint; executable?: boolean }>,
  ): void {
    const lamports = account.lamports ?? this.rentMinimum(account.data.length)
    const [owner, executable] = [pubkeyBytes(account.owner), account.executable ?? false]
    this.#svm.setAccount(
      pubkeyBytes(pubkey),
      new Account(lamports, account.data, owner, executable, 0n),
    )
  }

  /** @param authority undefined: nobody, as of an immutable program */
  setUpgradeAuthority(authority: Pubkey | undefined): void {
    const pubkey = programDataAddress(this.program)
    const found = this.account(pubkey)
    if (found === undefined) throw new Error('The program has no account of its code')
    found.data.set([authority === undefined ? 0 : 1], 12)
    if (authority !== undefined) found.data.set(pubkeyBytes(authority), 13)
    this.set(pubkey, found)
  }
}

function nameOf(error: ReturnType<typeof transactionErrorOf>): string {
  if (typeof error === 'string') return error
  if (!('InstructionError' in error)) return JSON.stringify(error)
  const [, reason] = error.InstructionError
  if (typeof reason === 'string') return reason
  if (!('Custom' in reason)) return JSON.stringify(reason)
  return errors.get(reason.Custom) ?? `Custom ${reason.Custom}`
}
