import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pubkeyBytes, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { pubkey, rawBytes } from '#test/support/arbitraries/svmArbitrary.ts'
import { isOnCurve } from './curve.ts'
import { associatedTokenAddress, findProgramAddress } from './derivedAddress.ts'
import { keySigner } from './signer.ts'

const loader = toPubkey('BPFLoader1111111111111111111111111111111111')

describe('a derived address', () => {
  it('has no key, and is the same when it is asked for again', () => {
    fc.assert(
      fc.property(fc.array(rawBytes(32), { maxLength: 15 }), pubkey, (seeds, program) => {
        const found = findProgramAddress(seeds, program)
        expect(isOnCurve(pubkeyBytes(found.address))).toBe(false)
        expect(findProgramAddress(seeds, program)).toEqual(found)
      }),
      { numRuns: 30 },
    )
  })

  it('has at most 15 seeds of 32 bytes', () => {
    const seeds = Array.from({ length: 16 }, () => new Uint8Array())
    expect(() => findProgramAddress(seeds, loader)).toThrow(RangeError)
    expect(() => findProgramAddress([new Uint8Array(33)], loader)).toThrow(RangeError)
  })
})

it('the key of a signer is on the curve', () => {
  fc.assert(
    fc.property(rawBytes(32), (seed) => isOnCurve(pubkeyBytes(keySigner(seed).pubkey))),
    { numRuns: 10 },
  )
})

it('the associated token account is that of the cluster', () => {
  // @source @solana/spl-token: the test of getAssociatedTokenAddressSync
  expect(
    associatedTokenAddress(
      toPubkey('B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj'),
      toPubkey('7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z'),
    ),
  ).toBe('DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n')
})
