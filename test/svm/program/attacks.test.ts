import { describe, expect, it } from 'vitest'
import { pubkeyBytes, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import {
  depositAddress,
  fillMarkerAddress,
  ledgerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import {
  allocator,
  DepositoryRig,
  depositor,
  eur,
  exitSeconds,
  known,
  mallory,
  orderId,
  owner,
  payee,
  payer,
  plainDeposit,
  tokenAccountData,
  unlisted,
  usd,
  user,
} from '#test/support/svm/depositoryRig.ts'
import { uninitialized, unsignedAt, withAccount } from '#test/support/svm/hostileCalls.ts'
import { named } from '#test/support/svm/programChain.ts'

const tokenDeposit = { ...plainDeposit, currency: usd }
const mallorysUsd = associatedTokenAddress(mallory, usd)

describe('tokens', () => {
  it('of another currency, or of none, are not deposited or paid for one that has a limit', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    expect(rig.send([depositCall(program, { ...tokenDeposit, currency: unlisted })]).error).toBe(
      'WrongState',
    )
    const call = depositCall(program, { ...tokenDeposit, currency: unlisted })
    const crossed = withAccount(call, 11, ledgerAddress(program, usd))
    expect(rig.send([crossed]).error).toBe('WrongAccount')
    // A payout of SOL cannot be had in tokens, nor the other way round.
    const sol = rig.deposited()
    const token = rig.deposited({ currency: usd })
    const asToken = settleCall(program, { ...sol, currency: usd })
    const asSol = settleCall(program, { ...token, currency: svmNative })
    const record = (each: typeof sol) => recordAddress(program, each)
    expect(rig.send([withAccount(asToken, 2, record(sol))]).error).toBe('NotOwed')
    expect(rig.send([withAccount(asSol, 2, record(token))]).error).toBe('NotOwed')
  })

  it('of a mint that is none, or belongs to another program, get no limit', () => {
    const rig = new DepositoryRig()
    const set = (currency: typeof usd) =>
      rig.send([setLimitCall(rig.program, { owner, currency, hourly: 1n })]).error
    const fake = named('fake')
    const data = new Uint8Array(82)
    data.set([1], 45)
    rig.set(fake, { owner: programIds.token2022, data })
    expect(set(fake)).toBe('InvalidMint')
    rig.set(fake, { owner: programIds.token, data: data.slice(0, 81) })
    expect(set(fake)).toBe('InvalidMint')
    rig.set(fake, { owner: programIds.token, data: new Uint8Array(82) })
    expect(set(fake)).toBe('InvalidMint')
    expect(set(mallorysUsd)).toBe('InvalidMint')
    expect(set(mallory)).toBe('InvalidMint')
  })

  it('are paid to the associated account of the depositor only, and while it is his', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    const payout = rig.deposited({ currency: usd })
    const refund = refundCall(program, { ...payout, amount: payout.owed, cost: 0n })
    const own = associatedTokenAddress(depositor, usd)
    const before = known(rig.account(own))
    // An account of the depositor that somebody else may close.
    const other = named('other account')
    rig.set(other, { owner: programIds.token, data: tokenAccountData(usd, depositor, 0n) })
    rig.advance(exitSeconds)
    const exit = exitCall(program, payout)
    expect(rig.send([withAccount(refund, 12, other)]).error).toBe('WrongAccount')
    expect(rig.send([withAccount(exit, 9, other)]).error).toBe('WrongAccount')
    const taken = { owner: programIds.token, data: tokenAccountData(usd, mallory, 0n) }
    const foreign = { owner: programIds.token2022, data: before.data }
    const frozen = { ...before, data: before.data.with(108, 2) }
    const empty = { ...before, data: new Uint8Array(165) }
    const longer = { ...before, data: Uint8Array.of(...before.data, 1, 2) }
    for (const hostile of [taken, foreign, frozen, empty, longer]) {
      rig.set(own, hostile)
      expect(rig.send([refund]).error).toBe('InvalidTokenAccount')
      expect(rig.send([exit]).error).toBe('InvalidTokenAccount')
    }
    rig.set(own, before)
    rig.succeed([exit])
  })

  it('go to no other account than the payee names, and come from no account of the vault', () => {
    const rig = new DepositoryRig()
    const { program, vault } = rig
    const payout = rig.deposited({ currency: usd })
    const vaultUsd = associatedTokenAddress(vault, usd)
    for (const other of [mallorysUsd, vaultUsd, associatedTokenAddress(payee, eur), payee])
      expect(rig.send([withAccount(settleCall(program, payout), 10, other)]).error).toBe(
        'InvalidTokenAccount',
      )
    const deposit = depositCall(program, { ...tokenDeposit, nonce: 1n })
    expect(rig.send([withAccount(deposit, 5, vaultUsd)]).error).toBe('InvalidTokenAccount')
    // Another token account of the vault is not the vault's.
    const second = named('second account of the vault')
    rig.set(second, { owner: programIds.token, data: tokenAccountData(usd, vault, 0n) })
    expect(rig.send([withAccount(deposit, 6, second)]).error).toBe('WrongAccount')
  })
})

describe('records', () => {
  it('of a stranger, with the right bytes, count for nothing', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    const payout = rig.deposited()
    const record = known(rig.account(recordAddress(program, payout)))
    const forged = named('forged')
    const forge = (each: typeof record) => {
      rig.set(forged, each)
      return rig.send([withAccount(settleCall(program, payout), 2, forged)]).error
    }
    expect(forge(record)).toBe('NotOwed')
    expect(forge({ ...record, owner: programIds.system })).toBe('WrongState')
    expect(forge({ ...record, data: new Uint8Array(64) })).toBe('WrongState')
    const later = { ...record, data: Uint8Array.of(...record.data, 0) }
    expect(forge(later)).toBe('WrongState')
  })

  it('cannot be paid above what they owe, twice, or by another signature', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    const payout = rig.deposited()
    rig.deposited({ nonce: 1n })
    const attempt = (call: ReturnType<typeof settleCall>) => rig.send([call]).error
    const { owed, slot } = payout
    expect(attempt(settleCall(program, { ...payout, allocator: mallory }))).toBe('NotTheAllocator')
    expect(attempt(settleCall(program, { ...payout, owed: owed + 1n }))).toBe('NotOwed')
    expect(attempt(settleCall(program, { ...payout, slot: slot + 1n }))).toBe('NotOwed')
    for (const [amount, cost] of [
      [owed, 1n],
      [1n, owed],
      [owed + 1n, 0n],
      [2n ** 64n - 1n, owed],
      [owed, 2n ** 64n - 1n],
    ] as const)
      expect(attempt(refundCall(program, { ...payout, amount, cost }))).toBe('NotOwed')
    expect(attempt(refundCall(program, { ...payout, amount: 0n, cost: 1n }))).toBe('ZeroAmount')
    const settle = settleCall(program, payout)
    expect(rig.send([settle, settle]).error).toBe('WrongState')
    rig.succeed([settle])
    expect(attempt(settle)).toBe('WrongState')
  })

  it('of the same slot cannot be paid out: they could be made again in it', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    const payout = { ...plainDeposit, allocator, payee, rentPayer: payer, owed: 5_000_000_000n }
    const settle = settleCall(program, { ...payout, slot: rig.slot })
    expect(rig.send([depositCall(program, plainDeposit), settle]).error).toBe('TooEarly')
  })

  it('do not come back by a payment in the transaction that closes them', () => {
    const rig = new DepositoryRig()
    const { program } = rig
    const payout = rig.deposited()
    const record = recordAddress(program, payout)
    const revival = transferLamports({ from: mallory, to: record, lamports: 10_000_000n })
    const settle = settleCall(program, payout)
    expect(rig.send([settle, revival, settle]).error).toBe('WrongState')
    rig.succeed([settle, revival])
    const left = { owner: programIds.system, data: new Uint8Array(), lamports: 10_000_000n }
    expect(rig.account(record)).toEqual(left)
    // The payment spares the next payer the rent.
    rig.succeed([depositCall(program, plainDeposit)])
    expect(rig.account(record)?.lamports).toBe(10_000_000n)
  })
})

it('money that came before does not keep accounts from being made', () => {
  const rig = new DepositoryRig()
  const { program } = rig
  const mark = { solver: payee, id: orderId('fill'), deadline: 1n << 60n }
  const prepaid = [recordAddress(program, plainDeposit), fillMarkerAddress(program, mark)]
  const ledger = ledgerAddress(program, unlisted)
  for (const to of [...prepaid, ledger])
    rig.succeed([transferLamports({ from: mallory, to, lamports: rig.rentMinimum(0) })])
  rig.succeed([depositCall(program, plainDeposit), markFilledCall(program, mark)])
  rig.succeed([setLimitCall(program, { owner, currency: unlisted, hourly: 1n })])
  expect(rig.send([markFilledCall(program, mark)]).error).toBe('AlreadyFilled')
})

it('an account of another program is not the code of this one', () => {
  const { chain, call } = uninitialized()
  const forged = named('forged code')
  const data = new Uint8Array(45)
  data.set([3])
  data.set([1], 12)
  data.set(pubkeyBytes(mallory), 13)
  chain.set(forged, { owner: programIds.upgradeableLoader, data })
  chain.fund(mallory)
  const byMallory = withAccount(withAccount(call, 3, forged), 1, mallory)
  expect(chain.send([byMallory]).error).toBe('WrongAccount')
  chain.set(forged, { owner: programIds.system, data })
  expect(chain.send([byMallory]).error).toBe('WrongAccount')
  expect(chain.send([unsignedAt(call, 1)], mallory).error).toBe('MissingSignature')
  expect(chain.send([withAccount(call, 0, forged)]).error).toBe('WrongAccount')
  expect(chain.send([withAccount(call, 2, mallory)]).error).toBe('WrongAccount')
})

it('deposits for the vault, of nothing, and above every sum are refused', () => {
  const rig = new DepositoryRig()
  const { program, vault } = rig
  for (const deposit of [plainDeposit, tokenDeposit]) {
    const attempt = (changes: Partial<typeof deposit>) =>
      rig.send([depositCall(program, { ...deposit, ...changes })]).error
    expect(attempt({ depositor: vault })).toBe('WrongAccount')
    expect(attempt({ amount: 0n })).toBe('ZeroAmount')
    expect(attempt({ amount: 2n ** 64n - 1n })).toMatch(/^Custom 1$/)
  }
  const sweep = sweepCall(program, { ...plainDeposit, sweeper: payer })
  expect(rig.send([sweep]).error).toBe('ZeroAmount')
})

it('a sweep pays the vault alone, and counts for the depositor of the address alone', () => {
  const rig = new DepositoryRig()
  const { program } = rig
  rig.payAddress(plainDeposit, svmNative, 2_000_000_000n)
  const address = depositAddress(program, plainDeposit)
  const forMallory = { ...plainDeposit, depositor: mallory, sweeper: mallory }
  const call = sweepCall(program, forMallory)
  expect(rig.send([withAccount(call, 2, address)]).error).toBe('WrongAccount')
  const own = sweepCall(program, { ...plainDeposit, sweeper: mallory })
  expect(rig.send([withAccount(own, 3, mallory)]).error).toBe('WrongAccount')
  expect(rig.send([withAccount(own, 6, ledgerAddress(program, usd))]).error).toBe('WrongAccount')
})

it('payee, depositor, sender and payers may be one', () => {
  const rig = new DepositoryRig()
  const { program } = rig
  for (const currency of [svmNative, usd]) {
    const one = { currency, depositor: payee, sender: payee, payer: payee }
    const payout = rig.deposited(one)
    const before = rig.balance(payee, currency)
    const part = { amount: 1_000_000n, cost: 2_000_000n }
    rig.succeed([refundCall(program, { ...payout, ...part })])
    expect(rig.balance(payee, currency) - before).toBe(3_000_000n)
    rig.succeed([settleCall(program, rig.payoutOf(payout))])
    const rent = currency === svmNative ? rig.rentMinimum(64) : 0n
    expect(rig.balance(payee, currency) - before).toBe(payout.owed + rent)
    expect(rig.balance(user, currency)).toBe(1_000_000_000_000n)
  }
})
