import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockhash, signature } from '#test/support/arbitraries/svmArbitrary.ts'
import { hash } from '#test/support/arbitraries/valueArbitrary.ts'
import { evmHash, toBlockHash, toTxId } from './txId.ts'

it('is the hash or the signature that it is read from', () => {
  fc.assert(
    fc.property(fc.oneof(hash, signature), (id) => {
      expect(toTxId(id)).toBe(id)
    }),
  )
})

it('of a block is its hash on either virtual machine', () => {
  fc.assert(
    fc.property(fc.oneof(hash, blockhash), (id) => {
      expect(toBlockHash(id)).toBe(id)
    }),
  )
})

it('is an EVM hash only on EVM chains', () => {
  fc.assert(
    fc.property(hash, signature, blockhash, (ofEvm, ofTransaction, ofBlock) => {
      expect(evmHash(ofEvm)).toBe(ofEvm)
      for (const each of [ofTransaction, ofBlock])
        expect(() => evmHash(each)).toThrow(`${each} is not an EVM hash`)
      expect(() => toTxId(ofBlock)).toThrow(RangeError)
      expect(() => toBlockHash(ofTransaction)).toThrow(RangeError)
    }),
  )
})

it.each([
  '',
  '0x',
  `0x${'A'.repeat(64)}`,
  `0x${'a'.repeat(63)}`,
  `0x${'a'.repeat(65)}`,
  'a'.repeat(64),
])('is not %j', (text) => {
  expect(() => toTxId(text)).toThrow(RangeError)
  expect(() => toBlockHash(text)).toThrow(RangeError)
})
