import { expect } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import type { DepositKey } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  type DepositoryRecord,
  decodeDepositoryRecord,
} from '#src/protocol/svm/depository/depositoryState.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { DepositoryRig, eur, known, usd } from './depositoryRig.ts'
import { drawCall, drawsOf, spoil } from './randomCalls.ts'

const currencies = [svmNative, usd, eur] as const
const recordBytes = 64

type State = ReturnType<typeof stateOf>

/** All that payments may change. */
function stateOf(rig: DepositoryRig) {
  const records = new Map<Pubkey, DepositoryRecord & Readonly<{ lamports: bigint }>>()
  for (const [pubkey, account] of rig.programAccounts()) {
    if (account.data.length !== recordBytes) continue
    const record = known(decodeDepositoryRecord(rig.program, account))
    records.set(pubkey, { ...record, lamports: account.lamports })
  }
  return {
    records,
    config: rig.configState(),
    ledgers: currencies.map((currency) => rig.ledger(currency)),
    held: currencies.map((currency) => rig.held(currency)),
  }
}

/** What ran of each kind, and why the others failed, so that a test sees that it tests something. */
export type Counts = Map<string, number>

const add = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

/** Sends random calls, half of them spoiled, and checks after each one what has to hold. */
export function runRandomCalls(seed: number, count: number, counts: Counts): void {
  const draw = drawsOf(seed)
  const rig = new DepositoryRig([usd, eur])
  const keys = new Map<Pubkey, DepositKey>()
  const marks = new Set<Pubkey>()
  let before = stateOf(rig)
  for (let at = 0; at < count; at += 1) {
    rig.advance(BigInt(draw(10) === 0 ? draw(100_000) : draw(60)))
    const open = [...before.records.keys()].map((record) => known(keys.get(record)))
    const plain = drawCall(rig, open, draw)
    const call = draw(2) === 0 ? plain : spoil(rig, plain, open, draw)
    const decoded = decodeDepositoryCall(rig.program, calledBy(call))
    const check =
      decoded && 'rentPayer' in decoded ? payoutCheck(rig, call, before, decoded) : undefined
    const { error } = rig.send([call])
    add(counts, error ?? 'success')
    if (error !== undefined) continue
    const after = stateOf(rig)
    add(counts, decoded?.kind ?? 'owner')
    if (decoded === undefined) expect(signersOf(call)).toContain(before.config.owner)
    else if (decoded.kind === 'markFilled') {
      expect(marks).not.toContain(decoded.marker)
      expect(signersOf(call)).toContain(decoded.solver)
      marks.add(decoded.marker)
    } else keys.set(decoded.record, decoded)
    checkSums(rig, after, keys)
    if (check) check(after)
    else checkIncrease(before, after, decoded && 'record' in decoded ? decoded.record : undefined)
    before = after
  }
}

const calledBy = ({ programId, keys, data }: Instruction) => ({
  programId,
  accounts: keys.map(({ pubkey }) => pubkey),
  data,
})

const signersOf = ({ keys }: Instruction): readonly Pubkey[] =>
  keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)

/** The vault has what the records are owed, and the ledgers know it. */
function checkSums(rig: DepositoryRig, { records, ledgers, held }: State, keys: Keys): void {
  for (const [at, currency] of currencies.entries()) {
    const own = [...records].filter(([record]) => known(keys.get(record)).currency === currency)
    const owed = own.reduce((sum, [, record]) => sum + record.owed, 0n)
    const minimum = currency === svmNative ? rig.rentMinimum(0) : 0n
    expect(ledgers[at]?.reserved).toBe(owed)
    expect(held[at]).toBeGreaterThanOrEqual(owed + minimum)
  }
}

type Keys = ReadonlyMap<Pubkey, DepositKey>

/** Nothing has left the vault, and no record but a new one has changed. */
function checkIncrease(before: State, after: State, made: Pubkey | undefined): void {
  expect(made === undefined || !before.records.has(made)).toBe(true)
  expect(without(after, made)).toEqual(without(before, made))
  for (const [at, held] of after.held.entries()) {
    const reserved = (after.ledgers[at]?.reserved ?? 0n) - (before.ledgers[at]?.reserved ?? 0n)
    expect(held - (before.held[at] ?? 0n)).toBe(reserved)
  }
}

const without = ({ records }: State, record: Pubkey | undefined) =>
  new Map([...records].filter(([each]) => each !== record))

type AnyPayout = Extract<ReturnType<typeof decodeDepositoryCall>, { rentPayer: Pubkey }>

/** What has to hold if the payout succeeds. */
function payoutCheck(rig: DepositoryRig, call: Instruction, before: State, payout: AnyPayout) {
  const { config } = before
  const { depositor, currency, record: place } = payout
  const due =
    config.payeeAt !== 0n && rig.seconds >= config.payeeAt ? config.pendingPayee : config.payee
  const balances = () => [depositor, due].map((account) => rig.balance(account, currency))
  const first = balances()
  return (after: State): void => {
    const record = known(before.records.get(place))
    const rest = after.records.get(place)?.owed
    expect(rest).not.toBe(0n)
    const left = record.owed - (rest ?? 0n)
    expect(left).toBeGreaterThan(0n)
    expect(without(after, place)).toEqual(without(before, place))
    for (const [at, held] of after.held.entries())
      expect((before.held[at] ?? 0n) - held).toBe(currencies[at] === currency ? left : 0n)
    expect(record.slot).toBeLessThan(rig.slot)
    const [toDepositor, toPayee] = sharesOf(payout, left)
    expect(toDepositor + toPayee).toBe(left)
    if (payout.kind === 'exit') expect(rig.seconds).toBeGreaterThanOrEqual(record.exitTime)
    else expect(signersOf(call)).toContain(config.allocator)
    const rentOf = (account: Pubkey) =>
      rest === undefined && currency === svmNative && account === record.rentPayer
        ? record.lamports
        : 0n
    const expected = [depositor, due].map(
      (account) =>
        (account === depositor ? toDepositor : 0n) +
        (account === due ? toPayee : 0n) +
        rentOf(account),
    )
    expect(balances().map((balance, at) => balance - (first[at] ?? 0n))).toEqual(expected)
    checkLimit(rig, before, after, { currency, used: toPayee, isAlone: payout.kind === 'settle' })
  }
}

function sharesOf(payout: AnyPayout, left: bigint): readonly [depositor: bigint, payee: bigint] {
  if (payout.kind === 'refund') return [payout.amount, payout.cost]
  return payout.kind === 'exit' ? [left, 0n] : [0n, left]
}

type Use = Readonly<{ currency: Pubkey; used: bigint; isAlone: boolean }>

/** The limit as one would write it with numbers of any size. */
function checkLimit(rig: DepositoryRig, before: State, after: State, use: Use): void {
  const at = currencies.indexOf(use.currency)
  const [old, now] = [known(before.ledgers[at]), known(after.ledgers[at])]
  if (use.used === 0n) {
    expect([now.used, now.updatedAt]).toEqual([old.used, old.updatedAt])
    return
  }
  const recovered = (old.hourly * (rig.seconds - old.updatedAt)) / 3600n
  const standing = old.used > recovered ? old.used - recovered : 0n
  expect(now).toMatchObject({ used: standing + use.used, updatedAt: rig.seconds })
  const isWithin = standing + use.used <= old.hourly
  expect(isWithin || (use.isAlone && standing === 0n && old.hourly > 0n)).toBe(true)
}
