import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { decodeTokenAccount, type TokenAccount } from '#src/protocol/svm/accounts.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { depositCall, markFilledCall } from '#src/protocol/svm/depository/depositCalls.ts'
import {
  type DepositKey,
  fillMarkerAddress,
  ledgerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  decodeDepositoryLedger,
  decodeDepositoryRecord,
} from '#src/protocol/svm/depository/depositoryState.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import {
  DepositoryRig,
  eur,
  known,
  mallory,
  orderId,
  payee,
  payer,
  plainDeposit,
  tokenAccountData,
  unlisted,
  usd,
} from '#test/support/svm/depositoryRig.ts'
import { named } from '#test/support/svm/programChain.ts'
import {
  checkInvariants,
  copyOf,
  ForbiddenError,
  type ModelState,
  usedAt,
} from './depositoryModel.ts'
import { applyInstruction } from './modelCalls.ts'

export const currencies = [svmNative, usd, eur, unlisted] as const

/** Pays the fees, and does nothing else. */
const feePayer = named('fees')

/** A program of an attacker. Nothing is there: what belongs to it can have any data. */
const hostileProgram = named('hostile program')

/** Token accounts in which somebody may want to see another one. */
export const fakes = {
  /** The data of the vault's account, of another program. */
  vaultToken: named('fake vault token'),
  mint: named('fake mint'),
  config: named('fake config'),
  /** Belongs to the vault, and is not its associated account. */
  otherVaultToken: named('other vault token'),
  malloryToken: named('second token of mallory'),
  payeeToken: named('second token of the payee'),
} as const

type Owned = Pick<ModelState, 'config' | 'ledgers' | 'records' | 'markers'>

type Balance = Readonly<{ lamports: bigint; token: TokenAccount | undefined }>

/** The state after a transaction, or the rule that the transaction breaks. */
type Expected = Readonly<{ state: ModelState }> | Readonly<{ broken: string }>

/** A depository among attackers: it holds every transaction against the model. */
export class HostileWorld extends DepositoryRig {
  /** By the address of the record, all deposits that were ever tried. */
  readonly deposits = new Map<Pubkey, DepositKey>()
  /** The record and the slot of each deposit. */
  readonly #made = new Set<string>()
  readonly #ledgers = new Map(currencies.map((each) => [ledgerAddress(this.program, each), each]))
  readonly #sizes: Readonly<{ record: number; ledger: number; marker: number }>
  readonly #vaultTokens: readonly Pubkey[]
  #owned: Owned | undefined
  readonly #read = new Map<Pubkey, Balance>()

  constructor() {
    super()
    this.fund(feePayer)
    this.#vaultTokens = currencies.slice(1).map((mint) => associatedTokenAddress(this.vault, mint))
    this.#makeFakes()
    const solver = payer
    const mark = { solver, id: orderId('sizes'), deadline: this.seconds }
    this.succeed([depositCall(this.program, plainDeposit), markFilledCall(this.program, mark)])
    const record = recordAddress(this.program, plainDeposit)
    this.deposits.set(record, plainDeposit)
    const sizeOf = (account: Pubkey) => known(this.account(account)).data.length
    this.#sizes = {
      record: sizeOf(record),
      ledger: sizeOf(ledgerAddress(this.program, svmNative)),
      marker: sizeOf(fillMarkerAddress(this.program, mark)),
    }
  }

  #makeFakes(): void {
    const vaultToken = known(this.account(associatedTokenAddress(this.vault, usd)))
    const fake = (pubkey: Pubkey, source: Pubkey) =>
      this.set(pubkey, { owner: hostileProgram, data: known(this.account(source)).data })
    fake(fakes.vaultToken, associatedTokenAddress(this.vault, usd))
    fake(fakes.mint, usd)
    fake(fakes.config, this.config)
    const token = (pubkey: Pubkey, owner: Pubkey) =>
      this.set(pubkey, { ...vaultToken, data: tokenAccountData(usd, owner, 1_000_000n) })
    token(fakes.otherVaultToken, this.vault)
    token(fakes.malloryToken, mallory)
    token(fakes.payeeToken, payee)
  }

  /** Moves lamports out of nowhere. */
  donate(account: Pubkey, amount: bigint): void {
    const found = this.account(account)
    if (found !== undefined) this.set(account, { ...found, lamports: found.lamports + amount })
    else this.fund(account, amount)
  }

  /** Freezes a token account, as its mint's authority can, or lets it move again. */
  freeze(account: Pubkey, isFrozen: boolean): void {
    const found = this.account(account)
    if (found === undefined) return
    found.data[108] = isFrozen ? 2 : 1
    this.set(account, found)
  }

  /** To be called after every change of accounts but by `attempt`: what was read counts until then. */
  forget(): void {
    this.#owned = undefined
    this.#read.clear()
  }

  /** What the program has stored. */
  owned(): Owned {
    this.#owned ??= this.#readOwned()
    return this.#owned
  }

  #readOwned(): Owned {
    const owned: Owned = {
      config: { current: this.configState() },
      ...{ ledgers: new Map(), records: new Map(), markers: new Set() },
    }
    const { program } = this
    for (const [pubkey, found] of this.programAccounts()) {
      const currency = this.#ledgers.get(pubkey)
      if (pubkey === this.config) continue
      if (currency !== undefined)
        owned.ledgers.set(currency, known(decodeDepositoryLedger(program, found)))
      else if (found.data.length === this.#sizes.marker) owned.markers.add(pubkey)
      else owned.records.set(pubkey, known(decodeDepositoryRecord(program, found)))
    }
    return owned
  }

  #balanceOf(pubkey: Pubkey): Balance {
    const before = this.#read.get(pubkey)
    if (before !== undefined) return before
    const found = this.account(pubkey)
    const token = found && decodeTokenAccount(found)
    const balance = { lamports: found?.lamports ?? 0n, token }
    this.#read.set(pubkey, balance)
    return balance
  }

  /** All that the program owns, and the accounts. */
  #snapshot(accounts: Iterable<Pubkey>): ModelState {
    const state: ModelState = { ...this.owned(), lamports: new Map(), tokens: new Map() }
    for (const pubkey of new Set([...accounts, this.vault, ...this.#vaultTokens])) {
      const { lamports, token } = this.#balanceOf(pubkey)
      state.lamports.set(pubkey, lamports)
      if (token !== undefined) state.tokens.set(pubkey, token)
    }
    state.lamports.delete(feePayer)
    return state
  }

  #expected(before: ModelState, instructions: readonly Instruction[]): Expected {
    const metas = instructions.flatMap(({ keys }) => keys)
    const signers = new Set(metas.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey))
    const { program, slot, seconds } = this
    const rentMinimum = (bytes: number) => this.rentMinimum(bytes)
    const context = { program, slot, seconds, signers, rentMinimum, sizes: this.#sizes }
    const state = copyOf(before)
    try {
      for (const instruction of instructions) applyInstruction(state, context, instruction)
    } catch (error) {
      // A codec refuses what does not fit.
      if (error instanceof ForbiddenError || error instanceof RangeError)
        return { broken: error.message }
      throw error
    }
    return { state }
  }

  /**
   * Sends a transaction of instructions of the program. What it does must be what the model expects.
   * @param isHonest whether it has to succeed if the model allows it
   */
  attempt(instructions: readonly Instruction[], isHonest: boolean): string | undefined {
    const accounts = instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey))
    for (const each of instructions) this.#noteDeposit(each)
    const before = this.#snapshot(accounts)
    const expected = this.#expected(before, instructions)
    const { error, logs } = this.send(instructions, feePayer)
    if (error !== undefined) {
      const shown = { error, logs, instructions }
      const mustSucceed = isHonest && 'state' in expected && isRentPaid(expected.state)
      assert(!mustSucceed, `fails: ${inspect(shown)}`)
      return error
    }
    if ('broken' in expected)
      assert.fail(`It succeeds, but not ${expected.broken}: ${inspect(instructions)}`)
    this.forget()
    const after = this.#snapshot(accounts)
    this.#compare(after, expected.state)
    this.#checkNames(before, after)
    return undefined
  }

  #noteDeposit({ programId, keys, data }: Instruction): void {
    const accounts = keys.map(({ pubkey }) => pubkey)
    const call = decodeDepositoryCall(this.program, { programId, accounts, data })
    if (call?.kind === 'deposit' || call?.kind === 'sweep')
      this.deposits.set(recordAddress(this.program, call), call)
  }

  #compare(after: ModelState, expected: ModelState): void {
    // The same use of a limit can be written for another time.
    const atNow = ({ ledgers }: ModelState) =>
      [...ledgers]
        .map(([currency, ledger]) => {
          const used = usedAt(ledger, this.seconds)
          return [currency, { ...ledger, used, updatedAt: 0n }] as const
        })
        .sort(([one], [other]) => (one < other ? -1 : 1))
    const shown = (state: ModelState) => ({ ...state, ledgers: atNow(state) })
    if (!isDeepStrictEqual(shown(after), shown(expected)))
      assert.deepEqual(shown(after), shown(expected))
    const vault = {
      address: this.vault,
      minimum: this.rentMinimum(0),
      tokenAccount: (mint: Pubkey) => associatedTokenAddress(this.vault, mint),
    }
    const named = new Map([...this.deposits].map(([record, { currency }]) => [record, currency]))
    assert.deepEqual(checkInvariants(after, vault, named), [])
  }

  /** A record and its slot name one deposit for ever. */
  #checkNames(before: ModelState, after: ModelState): void {
    for (const [record, { slot }] of after.records) {
      if (before.records.get(record)?.slot === slot) continue
      const name = `${record} ${slot}`
      assert(!this.#made.has(name), `${name} was another deposit`)
      this.#made.add(name)
    }
  }
}

const inspect = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each), 1)

/** Whether no account is left below the rent minimum, which the runtime refuses. @param state of whom little is known */
const isRentPaid = (state: ModelState): boolean =>
  [...state.lamports.values()].every((each) => each === 0n || each >= 890_880n)
