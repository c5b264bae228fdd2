import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { lamports, pubkey } from '#test/support/arbitraries/svmArbitrary.ts'
import { limitComputeUnits, priceComputeUnits } from './computeBudget.ts'
import type { CalledInstruction, Instruction } from './instruction.ts'
import { decodeMemo, memo } from './memo.ts'
import {
  createAccount,
  decodeAdvanceNonce,
  decodeLamportTransfer,
  initializeNonce,
  transferLamports,
  withdrawNonce,
} from './systemProgram.ts'
import {
  closeTokenAccount,
  createTokenAccount,
  decodeTokenTransfer,
  requireTokenAccount,
  transferTokens,
} from './tokenProgram.ts'

const called = ({ programId, keys, data }: Instruction): CalledInstruction => ({
  programId,
  accounts: keys.map((key) => key.pubkey),
  data,
})

const decoders = [decodeLamportTransfer, decodeAdvanceNonce, decodeTokenTransfer, decodeMemo]

describe('an instruction', () => {
  it('gives back a transfer of tokens', () => {
    const transfer = fc.record({
      source: pubkey,
      destination: pubkey,
      authority: pubkey,
      mint: pubkey,
      amount: lamports,
    })
    fc.assert(
      fc.property(transfer, fc.nat(255), (each, decimals) => {
        expect(decodeTokenTransfer(called(transferTokens({ ...each, decimals })))).toEqual(each)
      }),
    )
  })

  it('gives back a memo, whatever its text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeMemo(called(memo(text)))).toBe(text)
      }),
    )
  })

  it('refuses numbers that its layout has no place for', () => {
    const [from] = fc.sample(pubkey, 1)
    if (from === undefined) throw new Error('no sample')
    expect(() => transferLamports({ from, to: from, lamports: 2n ** 64n })).toThrow(RangeError)
    expect(() => transferLamports({ from, to: from, lamports: -1n })).toThrow(RangeError)
    expect(() => limitComputeUnits(2 ** 32)).toThrow(RangeError)
    expect(() => priceComputeUnits(-1n)).toThrow(RangeError)
  })

  it('of any bytes is read or ignored', () => {
    const ids = fc.constantFrom(...[memo(''), limitComputeUnits(1)].map((each) => each.programId))
    const instruction = fc.record({
      programId: fc.oneof(ids, pubkey),
      accounts: fc.array(pubkey, { maxLength: 5 }),
      data: fc.uint8Array({ maxLength: 40 }),
    })
    fc.assert(
      fc.property(instruction, (each) => {
        for (const decode of decoders) decode(each)
      }),
    )
  })
})

describe('the bytes of', () => {
  const [one, two, three] = [1, 2, 3].map((byte) => pubkeyOf(new Uint8Array(32).fill(byte)))
  if (one === undefined || two === undefined || three === undefined) throw new Error('no accounts')
  /** `s` for an account that signs, `w` for one that is written to. */
  const shown = ({ programId, keys, data }: Instruction) => [
    programId,
    ...keys.map(
      ({ pubkey: each, isSigner, isWritable }) =>
        `${each} ${isSigner ? 's' : ''}${isWritable ? 'w' : ''}`,
    ),
    bytesToHex(data),
  ]

  it('those that no other test sends', () => {
    const instructions = [
      createAccount({ payer: one, account: two, lamports: 1n, space: 2n, owner: three }),
      initializeNonce({ nonceAccount: one, authority: two }),
      withdrawNonce({ nonceAccount: one, authority: two, to: three, lamports: 1n }),
      createTokenAccount({ payer: one, owner: two, mint: three }),
      requireTokenAccount({ owner: two, mint: three }),
      closeTokenAccount({ account: one, destination: two, authority: three }),
    ]
    expect(instructions.map(shown)).toMatchInlineSnapshot(`
      [
        [
          "11111111111111111111111111111111",
          "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi sw",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR sw",
          "0x00000000010000000000000002000000000000000303030303030303030303030303030303030303030303030303030303030303",
        ],
        [
          "11111111111111111111111111111111",
          "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi w",
          "SysvarRecentB1ockHashes11111111111111111111 ",
          "SysvarRent111111111111111111111111111111111 ",
          "0x060000000202020202020202020202020202020202020202020202020202020202020202",
        ],
        [
          "11111111111111111111111111111111",
          "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi w",
          "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8 w",
          "SysvarRecentB1ockHashes11111111111111111111 ",
          "SysvarRent111111111111111111111111111111111 ",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR s",
          "0x050000000100000000000000",
        ],
        [
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi sw",
          "BKbxqhBJfLZNgac5dEUesF1V5xRZSzxDkcpQBAy4c8sw w",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR ",
          "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8 ",
          "11111111111111111111111111111111 ",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA ",
          "0x01",
        ],
        [
          "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR w",
          "BKbxqhBJfLZNgac5dEUesF1V5xRZSzxDkcpQBAy4c8sw w",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR ",
          "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8 ",
          "11111111111111111111111111111111 ",
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA ",
          "0x01",
        ],
        [
          "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
          "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi w",
          "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR w",
          "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8 s",
          "0x09",
        ],
      ]
    `)
  })
})
