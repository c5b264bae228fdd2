import { describe, expect, it } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import {
  depositAddress,
  fillMarkerAddress,
  recordAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import {
  DepositoryRig,
  depositor,
  exitSeconds,
  known,
  orderId,
  payee,
  payer,
  plainDeposit,
  usd,
  user,
} from '#test/support/svm/depositoryRig.ts'

const recordBytes = 64

/** The balances that payments change. */
function balancesOf(rig: DepositoryRig, currency: Pubkey) {
  const of = (account: Pubkey) => rig.balance(account, currency)
  return { user: of(user), depositor: of(depositor), payee: of(payee), vault: of(rig.vault) }
}

type Balances = ReturnType<typeof balancesOf>

const changes = (before: Balances, after: Balances) => ({
  user: after.user - before.user,
  depositor: after.depositor - before.depositor,
  payee: after.payee - before.payee,
  vault: after.vault - before.vault,
})

const none = { user: 0n, depositor: 0n, payee: 0n, vault: 0n }

describe.each([
  ['SOL', svmNative],
  ['a token', usd],
])('%s', (_, currency) => {
  const deposit = { ...plainDeposit, currency }
  const { amount } = deposit

  it('is deposited: the vault holds it, the record and the ledger owe it', () => {
    const rig = new DepositoryRig()
    const before = balancesOf(rig, currency)
    const payerBefore = rig.lamports(payer)
    rig.succeed([depositCall(rig.program, deposit)])
    const after = changes(before, balancesOf(rig, currency))
    expect(after).toEqual({ ...none, user: -amount, vault: amount })
    expect(rig.record(deposit)).toEqual({
      owed: amount,
      slot: rig.slot,
      exitTime: rig.seconds + exitSeconds,
      rentPayer: payer,
    })
    expect(rig.ledger(currency).reserved).toBe(amount)
    expect(payerBefore - rig.lamports(payer)).toBe(rig.rentMinimum(recordBytes))
  })

  it('is settled with the payee, and the record is closed', () => {
    const rig = new DepositoryRig()
    const payout = rig.deposited({ currency })
    const [before, payerBefore] = [balancesOf(rig, currency), rig.lamports(payer)]
    rig.succeed([settleCall(rig.program, payout)])
    const after = changes(before, balancesOf(rig, currency))
    expect(after).toEqual({ ...none, payee: amount, vault: -amount })
    expect(rig.account(recordAddress(rig.program, payout))).toBeUndefined()
    expect(rig.lamports(payer) - payerBefore).toBe(rig.rentMinimum(recordBytes))
    expect(rig.ledger(currency)).toMatchObject({ reserved: 0n, used: amount })
  })

  it('is refunded in parts, of which only the costs use the limit', () => {
    const rig = new DepositoryRig()
    const payout = rig.deposited({ currency })
    const before = balancesOf(rig, currency)
    const part = { amount: 2_000_000_000n, cost: 1_000_000n }
    rig.succeed([refundCall(rig.program, { ...payout, ...part })])
    const rest = amount - part.amount - part.cost
    expect(rig.record(payout)).toMatchObject({ owed: rest, slot: payout.slot })
    expect(rig.ledger(currency)).toMatchObject({ reserved: rest, used: part.cost })
    rig.succeed([refundCall(rig.program, { ...payout, owed: rest, amount: rest, cost: 0n })])
    const after = changes(before, balancesOf(rig, currency))
    const refunded = amount - part.cost
    expect(after).toEqual({ user: 0n, depositor: refunded, payee: part.cost, vault: -amount })
    expect(rig.record(payout)).toBeUndefined()
    expect(rig.ledger(currency)).toMatchObject({ reserved: 0n, used: part.cost })
  })

  it('is left with after the exit time, without anybody', () => {
    const rig = new DepositoryRig()
    const payout = rig.deposited({ currency })
    const before = balancesOf(rig, currency)
    rig.advance(exitSeconds - 2n)
    expect(rig.send([exitCall(rig.program, payout)]).error).toBe('TooEarly')
    rig.advance(1n)
    rig.succeed([exitCall(rig.program, payout)])
    const after = changes(before, balancesOf(rig, currency))
    expect(after).toEqual({ ...none, depositor: amount, vault: -amount })
    expect(rig.record(payout)).toBeUndefined()
    expect(rig.ledger(currency)).toMatchObject({ reserved: 0n, used: 0n })
  })

  it('is swept from a deposit address, by anyone, and refunded', () => {
    const rig = new DepositoryRig()
    rig.payAddress(deposit, currency, amount)
    const sender = depositAddress(rig.program, deposit)
    const before = balancesOf(rig, currency)
    const rentBefore = rig.lamports(depositor)
    rig.succeed([sweepCall(rig.program, { ...deposit, sweeper: payer })])
    rig.advance(1n)
    const swept = { ...deposit, sender }
    expect(rig.record(swept)).toMatchObject({ owed: amount, rentPayer: payer })
    expect(rig.ledger(currency).reserved).toBe(amount)
    expect(rig.balance(sender, currency)).toBe(0n)
    expect(rig.account(associatedTokenAddress(sender, currency))).toBeUndefined()
    const rent = currency === svmNative ? 0n : rig.rentMinimum(165)
    expect(rig.lamports(depositor) - rentBefore).toBe(rent)
    rig.succeed([refundCall(rig.program, { ...rig.payoutOf(swept), amount, cost: 0n })])
    const after = changes(before, balancesOf(rig, currency))
    expect(after).toEqual({ ...none, depositor: amount })
  })

  it('is deposited again under the same key after the first deposit is paid out', () => {
    const rig = new DepositoryRig()
    const first = rig.deposited({ currency })
    expect(rig.send([depositCall(rig.program, deposit)]).error).toBe('DepositExists')
    rig.succeed([settleCall(rig.program, first)])
    const second = rig.deposited({ currency })
    expect(second.slot).toBeGreaterThan(first.slot)
    expect(rig.send([settleCall(rig.program, first)]).error).toBe('NotOwed')
  })
})

it('marks an order as filled once, until its deadline', () => {
  const rig = new DepositoryRig()
  const mark = { solver: payee, id: orderId('filled'), deadline: rig.seconds }
  const late = { ...mark, deadline: rig.seconds - 1n }
  expect(rig.send([markFilledCall(rig.program, late)]).error).toBe('DeadlinePassed')
  rig.succeed([markFilledCall(rig.program, mark)])
  const marker = known(rig.account(fillMarkerAddress(rig.program, mark)))
  expect(marker).toEqual({
    owner: rig.program,
    data: new Uint8Array(),
    lamports: rig.rentMinimum(0),
  })
  expect(rig.send([markFilledCall(rig.program, mark)]).error).toBe('AlreadyFilled')
  rig.succeed([markFilledCall(rig.program, { ...mark, solver: user })])
})
