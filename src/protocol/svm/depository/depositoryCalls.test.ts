import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { lamports, pubkey, rawBytes } from '#test/support/arbitraries/svmArbitrary.ts'
import { decodeDepositoryCall } from './decodeDepositoryCall.ts'
import { depositCall, markFilledCall, sweepCall } from './depositCalls.ts'
import {
  configAddress,
  depositAddress,
  fillMarkerAddress,
  recordAddress,
  vaultAddress,
} from './depositoryAddresses.ts'
import { configureCall, initializeCall, setLimitCall } from './ownerCalls.ts'
import { exitCall, refundCall, settleCall } from './payoutCalls.ts'

const id = rawBytes(32).map((bytes) => bytesToHex(bytes))
const currency = fc.oneof(fc.constant(svmNative), pubkey)
const key = { id, depositor: pubkey, currency, sender: pubkey, nonce: lamports }
const payout = {
  ...key,
  allocator: pubkey,
  payee: pubkey,
  rentPayer: pubkey,
  owed: lamports,
  slot: lamports,
}

const called = ({ programId, keys, data }: Instruction) => ({
  programId,
  accounts: keys.map((each) => each.pubkey),
  data,
})

/** Each value is read back from its instruction, also with bytes behind it, and not from one byte less. */
function checkRoundTrip<Value>(
  values: fc.Arbitrary<Value>,
  encode: (program: Pubkey, value: Value) => Instruction,
  decoded: (program: Pubkey, value: Value) => object,
) {
  fc.assert(
    fc.property(pubkey, pubkey, values, (program, other, value) => {
      fc.pre(program !== other)
      const call = called(encode(program, value))
      expect(decodeDepositoryCall(program, call)).toEqual(decoded(program, value))
      const longer = Uint8Array.from([...call.data, 1])
      expect(decodeDepositoryCall(program, { ...call, data: longer })).toEqual(
        decoded(program, value),
      )
      const shorter = call.data.slice(0, -1)
      expect(decodeDepositoryCall(program, { ...call, data: shorter })).toBeUndefined()
      expect(decodeDepositoryCall(other, call)).toBeUndefined()
      expect(decodeDepositoryCall(program, { ...call, accounts: [] })).toBeUndefined()
    }),
    { numRuns: 15 },
  )
}

describe('the depository gives back', () => {
  it('a deposit', () => {
    checkRoundTrip(
      fc.record({ ...key, amount: lamports, payer: pubkey }),
      depositCall,
      (program, value) => ({ ...value, kind: 'deposit', record: recordAddress(program, value) }),
    )
  })

  it('a sweep, whose record has the address as its sender', () => {
    const { sender: _, ...rest } = key
    checkRoundTrip(fc.record({ ...rest, sweeper: pubkey }), sweepCall, (program, value) => {
      const sender = depositAddress(program, value)
      const record = recordAddress(program, { ...value, sender })
      return { ...value, kind: 'sweep', sender, record }
    })
  })

  it('a settlement', () => {
    checkRoundTrip(fc.record(payout), settleCall, (program, value) => ({
      ...value,
      kind: 'settle',
      record: recordAddress(program, value),
    }))
  })

  it('a refund', () => {
    checkRoundTrip(
      fc.record({ ...payout, amount: lamports, cost: lamports }),
      refundCall,
      (program, value) => ({ ...value, kind: 'refund', record: recordAddress(program, value) }),
    )
  })

  it('an exit', () => {
    checkRoundTrip(fc.record({ ...key, rentPayer: pubkey }), exitCall, (program, value) => ({
      ...value,
      kind: 'exit',
      record: recordAddress(program, value),
    }))
  })

  it('a mark of a fill', () => {
    const deadline = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
    checkRoundTrip(
      fc.record({ solver: pubkey, id, deadline }),
      markFilledCall,
      (program, value) => ({
        ...value,
        kind: 'markFilled',
        marker: fillMarkerAddress(program, value),
      }),
    )
  })
})

describe('an instruction of the depository', () => {
  const [program, one, two, three] = fc.sample(pubkey, { numRuns: 4, seed: 1 })
  if (program === undefined || one === undefined || two === undefined || three === undefined)
    throw new Error('no sample')
  const roles = { owner: one, allocator: two, payee: three }

  it('that moves no deposit is not decoded', () => {
    const calls = [
      initializeCall(program, { ...roles, authority: one, exitSeconds: 60n }),
      configureCall(program, one, roles),
      setLimitCall(program, { owner: one, currency: svmNative, hourly: 1n }),
    ]
    for (const call of calls) expect(decodeDepositoryCall(program, called(call))).toBeUndefined()
  })

  it('has the discriminators and the accounts of the public interface', () => {
    const call = depositCall(program, {
      ...{ id: `0x${'11'.repeat(32)}`, depositor: one, currency: two, sender: three },
      ...{ nonce: 2n, amount: 1n, payer: one },
    })
    expect(call.keys.map(({ pubkey: each }) => each).slice(0, 5)).toEqual([
      configAddress(program),
      three,
      one,
      vaultAddress(program),
      two,
    ])
    // sha256('global:deposit_token'), the amount, the id, and our nonce.
    expect(bytesToHex(call.data)).toBe(
      `0x0b9c60da27a3b413${'0100000000000000'}${'11'.repeat(32)}${'0200000000000000'}`,
    )
  })

  it('refuses an id of another length', () => {
    const mark = { solver: one, id: '0x11', deadline: 1n } as const
    expect(() => markFilledCall(program, mark)).toThrow('An id has 32 bytes, not 1')
  })
})
