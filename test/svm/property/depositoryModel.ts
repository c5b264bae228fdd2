import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { TokenAccount } from '#src/protocol/svm/accounts.ts'
import { recordAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import type {
  DepositoryConfig,
  DepositoryLedger,
  DepositoryRecord,
} from '#src/protocol/svm/depository/depositoryState.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'

/** What the chain holds, as far as the depository and an instruction of it are concerned. */
export type ModelState = Readonly<{
  config: { current: DepositoryConfig }
  /** By currency. */
  ledgers: Map<Pubkey, DepositoryLedger>
  /** By address. */
  records: Map<Pubkey, DepositoryRecord>
  markers: Set<Pubkey>
  lamports: Map<Pubkey, bigint>
  tokens: Map<Pubkey, TokenAccount>
}>

/** What an instruction is given besides its accounts. */
export type ModelContext = Readonly<{
  program: Pubkey
  slot: bigint
  seconds: bigint
  signers: ReadonlySet<Pubkey>
  rentMinimum: (bytes: number) => bigint
  /** Bytes of the program's accounts. */
  sizes: Readonly<{ record: number; ledger: number; marker: number }>
}>

/** The interface does not allow it. */
export class ForbiddenError extends Error {}

export function demand(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new ForbiddenError(rule)
}

export const copyOf = (state: ModelState): ModelState => ({
  config: { ...state.config },
  ledgers: new Map(state.ledgers),
  records: new Map(state.records),
  markers: new Set(state.markers),
  lamports: new Map(state.lamports),
  tokens: new Map(state.tokens),
})

export const payeeAt = ({ payee, pendingPayee, payeeAt }: DepositoryConfig, now: bigint): Pubkey =>
  payeeAt !== 0n && now >= payeeAt ? pendingPayee : payee

/** What is used of the limit. */
export function usedAt({ hourly, used, updatedAt }: DepositoryLedger, now: bigint): bigint {
  const seconds = now > updatedAt ? now - updatedAt : 0n
  const recovered = (hourly * seconds) / 3600n
  return used > recovered ? used - recovered : 0n
}

function ledgerOf(state: ModelState, currency: Pubkey): DepositoryLedger {
  const ledger = state.ledgers.get(currency)
  demand(ledger !== undefined, 'the currency has a ledger')
  return ledger
}

export function reserve(state: ModelState, currency: Pubkey, change: bigint): void {
  const ledger = ledgerOf(state, currency)
  const reserved = ledger.reserved + change
  demand(reserved >= 0n && reserved < 2n ** 64n, 'the sum of what is owed fits')
  state.ledgers.set(currency, { ...ledger, reserved })
}

export function useLimit(
  state: ModelState,
  { seconds }: ModelContext,
  payout: Readonly<{ currency: Pubkey; amount: bigint; isAlone: boolean }>,
): void {
  const ledger = ledgerOf(state, payout.currency)
  const used = usedAt(ledger, seconds)
  const isAlone = payout.isAlone && used === 0n && ledger.hourly > 0n
  demand(isAlone || used + payout.amount <= ledger.hourly, 'the limit holds')
  state.ledgers.set(payout.currency, { ...ledger, used: used + payout.amount, updatedAt: seconds })
}

const lamportsOf = (state: ModelState, account: Pubkey): bigint => state.lamports.get(account) ?? 0n

export function moveLamports(state: ModelState, from: Pubkey, to: Pubkey, amount: bigint): void {
  demand(lamportsOf(state, from) >= amount, 'the account has the lamports')
  state.lamports.set(from, lamportsOf(state, from) - amount)
  state.lamports.set(to, lamportsOf(state, to) + amount)
}

export function tokenOf(state: ModelState, account: Pubkey): TokenAccount {
  const token = state.tokens.get(account)
  demand(token !== undefined, 'it is a token account')
  return token
}

export function moveTokens(
  state: ModelState,
  { from, to, mint, amount }: Readonly<{ from: Pubkey; to: Pubkey; mint: Pubkey; amount: bigint }>,
): void {
  for (const account of [from, to]) {
    const token = tokenOf(state, account)
    demand(token.mint === mint && !token.isFrozen, 'the token account can move the currency')
  }
  const source = tokenOf(state, from)
  demand(source.amount >= amount, 'the token account has the amount')
  state.tokens.set(from, { ...source, amount: source.amount - amount })
  const destination = tokenOf(state, to)
  state.tokens.set(to, { ...destination, amount: destination.amount + amount })
}

/** The payer adds what is missing to the rent minimum: anyone may have paid the address before. */
export function payRent(state: ModelState, account: Pubkey, payer: Pubkey, minimum: bigint): void {
  const missing = minimum - lamportsOf(state, account)
  if (missing > 0n) moveLamports(state, payer, account, missing)
}

export function closeRecord(state: ModelState, account: Pubkey, rentPayer: Pubkey): void {
  moveLamports(state, account, rentPayer, lamportsOf(state, account))
  state.records.delete(account)
}

type Named = Readonly<{ record: Pubkey; currency: Pubkey }>

/** Vault, ledgers and records agree. @param named the currencies of all records that were ever made */
export function checkInvariants(
  state: ModelState,
  vault: Readonly<{ address: Pubkey; minimum: bigint; tokenAccount: (mint: Pubkey) => Pubkey }>,
  named: ReadonlyMap<Pubkey, Pubkey>,
): readonly string[] {
  const broken: string[] = []
  const owed = new Map<Pubkey, bigint>()
  for (const [record, { owed: amount }] of state.records) {
    const currency = named.get(record)
    if (currency === undefined) broken.push(`${record} is no record of a deposit`)
    else owed.set(currency, (owed.get(currency) ?? 0n) + amount)
    if (amount === 0n) broken.push(`${record} is owed nothing and still open`)
  }
  for (const [currency, { reserved }] of state.ledgers) {
    const sum = owed.get(currency) ?? 0n
    if (sum !== reserved) broken.push(`${reserved} are reserved of ${currency}, ${sum} are owed`)
    const token = state.tokens.get(vault.tokenAccount(currency))
    const held =
      currency === svmNative ? lamportsOf(state, vault.address) - vault.minimum : token?.amount
    if ((held ?? 0n) < reserved) broken.push(`the vault has ${held} of ${reserved} of ${currency}`)
    if (token === undefined) continue
    if (token.owner !== vault.address || token.delegate || token.closeAuthority)
      broken.push(`others may use the vault's account of ${currency}`)
  }
  return broken
}

/** The record of a deposit, which is at the address that the instruction names. */
export function recordOf(
  state: ModelState,
  { program }: ModelContext,
  key: Parameters<typeof recordAddress>[1] & Named,
): DepositoryRecord {
  demand(recordAddress(program, key) === key.record, 'the record is the one of the deposit')
  const record = state.records.get(key.record)
  demand(record !== undefined, 'the record exists')
  return record
}

/** Programs stand in the interface because the transaction has to name them. The depository calls them by constants. */
const ignored: ReadonlySet<Pubkey> = new Set([
  programIds.system,
  programIds.token,
  programIds.associatedToken,
])

/** The instruction has the accounts of `expected`, but for those at `free` places, and the signatures that it needs. */
export function demandAccounts(
  { signers }: ModelContext,
  instruction: Instruction,
  expected: Instruction,
  free: readonly number[] = [],
): void {
  demand(instruction.keys.length === expected.keys.length, 'it has the right number of accounts')
  demand(Buffer.compare(instruction.data, expected.data) === 0, 'it has no other bytes')
  for (const [place, { pubkey, isSigner }] of expected.keys.entries()) {
    const given = instruction.keys[place]?.pubkey
    const isFree = free.includes(place) || ignored.has(pubkey)
    demand(isFree || given === pubkey, `account ${place} is ${pubkey}, not ${given}`)
    demand(!isSigner || (given !== undefined && signers.has(given)), `account ${place} signs`)
  }
}
