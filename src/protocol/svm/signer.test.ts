import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { rawBytes } from '#test/support/arbitraries/svmArbitrary.ts'
import { keyFileSigner, keySigner } from './signer.ts'

it('the signer of a key file is that of its key', () => {
  fc.assert(
    fc.property(rawBytes(32), (key) => {
      const { pubkey } = keySigner(key)
      const file = JSON.stringify([...key, ...pubkeyBytes(pubkey)])
      expect(keyFileSigner(file).pubkey).toBe(pubkey)
    }),
    { numRuns: 10 },
  )
})

it('other files are refused, without a part of them', () => {
  const bytes = Array.from({ length: 64 }, () => 7)
  const files = ['', '{}', '"secret"', '[1, 2]', JSON.stringify([...bytes.slice(1), 256])]
  for (const file of [...files, JSON.stringify([...bytes.slice(1), 1.5])])
    expect(() => keyFileSigner(file)).toThrow('A key file is a JSON list of 64 bytes')
  // The second half is not the public key of the first.
  expect(() => keyFileSigner(JSON.stringify(bytes))).toThrow(RangeError)
})
