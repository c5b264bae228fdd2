import { describe, expect, it } from 'vitest'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import { ledgerAddress, recordAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import {
  DepositoryRig,
  eur,
  exitSeconds,
  known,
  mallory,
  orderId,
  owner,
  payee,
  payer,
  plainDeposit,
  unlisted,
  usd,
} from '#test/support/svm/depositoryRig.ts'
import { unsignedAt, withAccount } from '#test/support/svm/hostileCalls.ts'
import { named } from '#test/support/svm/programChain.ts'

const tokenDeposit = { ...plainDeposit, currency: usd }
const mallorysUsd = associatedTokenAddress(mallory, usd)

describe('every account of every call', () => {
  const rig = new DepositoryRig()
  const { program } = rig
  const sol = rig.deposited({ id: orderId('sol') })
  const token = rig.deposited({ currency: usd, id: orderId('usd') })
  for (const currency of [svmNative, usd]) rig.payAddress(plainDeposit, currency, 2_000_000_000n)
  const part = { amount: 1_000_000_000n, cost: 1n }
  const mark = { solver: payee, id: orderId('fill'), deadline: 1n << 60n }
  const calls = {
    'deposit of SOL': depositCall(program, plainDeposit),
    'deposit of a token': depositCall(program, tokenDeposit),
    'sweep of SOL': sweepCall(program, { ...plainDeposit, sweeper: payer }),
    'sweep of a token': sweepCall(program, { ...tokenDeposit, sweeper: payer }),
    'settlement of SOL': settleCall(program, sol),
    'settlement of a token': settleCall(program, token),
    'refund of SOL': refundCall(program, { ...sol, ...part }),
    'refund of a token': refundCall(program, { ...token, ...part }),
    'exit of SOL': exitCall(program, sol),
    'exit of a token': exitCall(program, token),
    'mark of a fill': markFilledCall(program, mark),
    'limit of SOL': setLimitCall(program, { owner, currency: svmNative, hourly: 1n }),
    'first limit of a token': setLimitCall(program, { owner, currency: unlisted, hourly: 1n }),
  }
  rig.advance(exitSeconds)

  // These may be anyone's: whose they are is part of what the call says, or they are not used.
  const free: Readonly<Record<string, readonly number[]>> = {
    'deposit of SOL': [4, 7],
    'deposit of a token': [5, 7, 8, 9, 12],
    'sweep of SOL': [0, 4],
    'sweep of a token': [0, 8, 9],
    'settlement of SOL': [7],
    'settlement of a token': [7, 10, 11],
    'refund of SOL': [7],
    'refund of a token': [7, 10, 11],
    'exit of SOL': [5],
    'exit of a token': [5, 8],
    'mark of a fill': [2],
    'limit of SOL': [4],
    'first limit of a token': [4],
  }
  const strangers = [
    ...[mallory, rig.config, rig.vault, ledgerAddress(program, svmNative)],
    ...[ledgerAddress(program, usd), ledgerAddress(program, eur), usd, eur, mallorysUsd],
    ...[associatedTokenAddress(rig.vault, usd), associatedTokenAddress(rig.vault, eur)],
    ...[recordAddress(program, sol), recordAddress(program, token), named('nobody'), program],
  ]

  it.each(Object.entries(calls))(
    '%s: others are refused, and so are signatures that are missing',
    (name, call) => {
      for (const [place, { pubkey, isSigner }] of call.keys.entries()) {
        if (isSigner)
          expect([place, rig.send([unsignedAt(call, place)]).error]).toEqual([
            place,
            'MissingSignature',
          ])
        if (free[name]?.includes(place)) continue
        for (const stranger of strangers.filter((each) => each !== pubkey)) {
          const { error } = rig.send([withAccount(call, place, stranger)])
          expect([place, stranger, error]).not.toEqual([place, stranger, undefined])
        }
      }
    },
  )

  it.each(Object.entries(calls))(
    '%s: more or fewer accounts and arguments are refused',
    (_, call) => {
      const { keys, data } = call
      const [last] = keys.slice(-1)
      const counts = [keys.slice(0, -1), [...keys, known(last)], []]
      for (const each of counts)
        expect(rig.send([{ ...call, keys: each }]).error).toBe('WrongAccountCount')
      for (const each of [data.slice(0, -1), Uint8Array.of(...data, 0), data.slice(0, 8)])
        expect(rig.send([{ ...call, data: each }]).error).toBe('WrongArguments')
      for (const each of [new Uint8Array(), data.slice(0, 7), Uint8Array.of(...data).fill(1)])
        expect(rig.send([{ ...call, data: each }]).error).toBe('UnknownInstruction')
    },
  )

  it('the same calls succeed unchanged', () => {
    const others = Object.entries(calls).filter(([name]) => !/^(settlement|exit)/.test(name))
    for (const [name, call] of others)
      expect([name, rig.send([call]).error]).toEqual([name, undefined])
    const [solRest, tokenRest] = [rig.payoutOf(sol), rig.payoutOf(token)]
    rig.succeed([exitCall(program, solRest), exitCall(program, tokenRest)])
  })
})
