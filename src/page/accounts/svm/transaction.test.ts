import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { expect, it } from 'vitest'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { unsignedTransaction as encodeByProtocol } from '#src/protocol/svm/transaction.ts'
import { decodeBase58, encodeBase58 } from './base58.js'
import { unsignedTransaction } from './transaction.js'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

it('reads and writes base58', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
    }),
  )
  expect(encodeBase58(new Uint8Array(32))).toBe('1'.repeat(32))
  expect(() => decodeBase58('0')).toThrow(RangeError)
})

it('encodes a transaction as the gateway does', () => {
  const pubkey = fc
    .integer({ min: 0, max: 12 })
    .map((byte) => pubkeyOf(new Uint8Array(32).fill(byte)))
  const key = fc.record({ pubkey, isSigner: fc.boolean(), isWritable: fc.boolean() })
  const instruction = fc.record({
    programId: pubkey,
    keys: fc.array(key, { maxLength: 8 }),
    data: fc.uint8Array({ maxLength: 200 }),
  })
  fc.assert(
    fc.property(pubkey, fc.array(instruction, { maxLength: 4 }), bytes32, (payer, all, hash) => {
      const lifetime = blockhashOf(hash)
      const instructions = all.map((each) => ({
        ...each,
        data: bytesToHex(each.data).slice(2),
      }))
      expect(unsignedTransaction({ payer, instructions }, lifetime)).toEqual(
        encodeByProtocol({ payer, instructions: all, lifetime }),
      )
    }),
  )
})
