import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Account } from '#src/core/units/address.ts'
import { paddedBytes, pubkey } from '#test/support/arbitraries/svmArbitrary.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { blockhashOf, toBlockhash } from './blockhash.ts'
import { pubkeyBytes, pubkeyOf, svmNative, toPubkey } from './pubkey.ts'
import { svmSignatureOf, toSvmSignature } from './signature.ts'

describe('base58', () => {
  it('gives back all bytes, zeros too', () => {
    const lengths = fc.nat(200).chain(paddedBytes)
    fc.assert(
      fc.property(lengths, (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes)
      }),
    )
  })

  it.each([
    ['', ''],
    ['00', '1'],
    ['0000', '11'],
    ['61', '2g'],
    ['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
    ['10c8511e', 'Rt5zm'],
    ['00000000000000000000', '1111111111'],
  ])('is that of Bitcoin for %j', (hex, text) => {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
    expect(encodeBase58(bytes)).toBe(text)
    expect(decodeBase58(text)).toEqual(bytes)
  })

  it.each(['0', 'O', 'I', 'l', ' 2g', '2g\n', 'ü'])('refuses %j', (text) => {
    expect(() => decodeBase58(text)).toThrow(RangeError)
  })
})

describe('an address', () => {
  it('is the only spelling of its bytes', () => {
    fc.assert(
      fc.property(pubkey, (each) => {
        const account: Account = toPubkey(each)
        expect(pubkeyOf(pubkeyBytes(each))).toBe(account)
        expect(pubkeyBytes(each)).toHaveLength(32)
      }),
    )
  })

  it('of SOL is 32 zeros', () => {
    expect(pubkeyBytes(svmNative)).toEqual(new Uint8Array(32))
  })

  it.each([
    '',
    '1'.repeat(31),
    '1'.repeat(33),
    'z'.repeat(44),
    ` ${svmNative}`,
    `${svmNative}\n`,
    '0x0000000000000000000000000000000000000000',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D',
    '1'.repeat(100_000),
  ])('is not %j', (text) => {
    expect(() => toPubkey(text)).toThrow(
      'A Solana address is 32 bytes in base58: 32 to 44 letters and digits',
    )
  })

  it('is not made of another number of bytes', () => {
    expect(() => pubkeyOf(new Uint8Array(31))).toThrow('A Solana address has 32 bytes, not 31')
  })
})

it('a signature has 64 bytes, and a block hash 32', () => {
  fc.assert(
    fc.property(paddedBytes(64), paddedBytes(32), (signature, hash) => {
      expect(toSvmSignature(encodeBase58(signature))).toBe(svmSignatureOf(signature))
      expect(toBlockhash(encodeBase58(hash))).toBe(blockhashOf(hash))
      expect(() => toSvmSignature(encodeBase58(hash))).toThrow(RangeError)
      expect(() => toBlockhash(encodeBase58(signature))).toThrow(RangeError)
    }),
  )
})
