import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { blockhash, message, pubkey, rawBytes } from '#test/support/arbitraries/svmArbitrary.ts'
import { LayoutError } from './bytes.ts'
import { decodeMessage, encodeMessage, type Message } from './message.ts'

const calls = ({ instructions }: Message) =>
  instructions.map(({ programId, keys, data }) => ({
    programId,
    accounts: keys.map((key) => key.pubkey),
    data,
  }))

describe('a message', () => {
  it.each(['legacy', 0] as const)('of version %s gives back its instructions', (version) => {
    fc.assert(
      fc.property(message, (each) => {
        const { lifetime, instructions, signers, ...rest } = decodeMessage(
          encodeMessage(each, version),
        )
        expect(rest.version).toBe(version)
        expect(lifetime).toBe(each.lifetime)
        expect(signers[0]).toBe(each.payer)
        expect(instructions).toEqual(calls(each))
        const signing = each.instructions.flatMap(({ keys }) => keys).filter((key) => key.isSigner)
        expect(new Set(signers)).toEqual(
          new Set<Pubkey>([each.payer, ...signing.map((key) => key.pubkey)]),
        )
      }),
    )
  })

  it('takes accounts of lookup tables after its own, the writable ones first', () => {
    const property = fc.property(
      fc.record({ payer: pubkey, program: pubkey, writable: pubkey, readonly: pubkey }),
      blockhash,
      rawBytes(32),
      ({ payer, program, writable, readonly }, lifetime, table) => {
        fc.pre(payer !== program)
        const none = { programId: program, keys: [], data: new Uint8Array() }
        const own = encodeMessage({ payer, lifetime, instructions: [none] })
        // Replaces the instruction by one with two accounts of a table.
        const call = [1, 1, 2, 3, 2, 0]
        const lookups = [1, ...table, 1, 7, 1, 9]
        const bytes = Uint8Array.from([...own.slice(0, -5), ...call, ...lookups])
        const loaded = { writable: [writable], readonly: [readonly] }
        expect(decodeMessage(bytes, loaded).instructions).toEqual([
          { programId: program, accounts: [readonly, writable], data: new Uint8Array() },
        ])
        expect(() => decodeMessage(bytes)).toThrow('no account 3')
      },
    )
    fc.assert(property)
  })

  it('is refused unless every byte has a meaning', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.nat(255), (each, at, byte) => {
        const bytes = encodeMessage(each)
        expect(() => decodeMessage(bytes.slice(0, at % bytes.length))).toThrow(LayoutError)
        expect(() => decodeMessage(Uint8Array.from([...bytes, byte]))).toThrow(LayoutError)
      }),
    )
  })

  it('is read or refused, whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(LayoutError)
        }
      }),
    )
  })
})
