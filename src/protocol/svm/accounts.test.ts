import fc from 'fast-check'
import { concatBytes } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { blockhash, lamports, pubkey } from '#test/support/arbitraries/svmArbitrary.ts'
import { accountSizes, decodeMint, decodeNonceAccount, decodeTokenAccount } from './accounts.ts'
import { u8, u32, u64 } from './bytes.ts'
import { programIds } from './programIds.ts'

const optional = (each: Pubkey | undefined) =>
  concatBytes([u32(each === undefined ? 0 : 1), each ? pubkeyBytes(each) : new Uint8Array(32)])
const maybe = fc.option(pubkey, { nil: undefined })

describe('a nonce account', () => {
  const of = (version: number, state: number, authority: Pubkey, nonce: string) => ({
    owner: programIds.system,
    data: concatBytes([
      ...[u32(version), u32(state)],
      ...[pubkeyBytes(authority), decodeBase58(nonce), u64(5_000n)],
    ]),
  })

  it('is read', () => {
    fc.assert(
      fc.property(pubkey, blockhash, (authority, nonce) => {
        expect(decodeNonceAccount(of(1, 1, authority, nonce))).toEqual({ authority, nonce })
      }),
    )
  })

  it('is refused before it is initialized, in an older version, and of another program', () => {
    fc.assert(
      fc.property(pubkey, blockhash, (authority, nonce) => {
        expect(decodeNonceAccount(of(1, 0, authority, nonce))).toBeUndefined()
        expect(decodeNonceAccount(of(0, 1, authority, nonce))).toBeUndefined()
        const stranger = { ...of(1, 1, authority, nonce), owner: programIds.token }
        expect(decodeNonceAccount(stranger)).toBeUndefined()
      }),
    )
  })
})

describe('a token account', () => {
  const fields = fc.record({
    mint: pubkey,
    owner: pubkey,
    amount: lamports,
    isFrozen: fc.boolean(),
    delegate: maybe,
    closeAuthority: maybe,
  })
  type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never
  const encode = (each: Fields) =>
    concatBytes([
      ...[pubkeyBytes(each.mint), pubkeyBytes(each.owner), u64(each.amount)],
      ...[optional(each.delegate), u8(each.isFrozen ? 2 : 1), u32(0), u64(0n), u64(0n)],
      optional(each.closeAuthority),
    ])

  it('is read', () => {
    fc.assert(
      fc.property(fields, (each) => {
        const data = encode(each)
        expect(data).toHaveLength(accountSizes.token)
        expect(decodeTokenAccount({ owner: programIds.token, data })).toEqual(each)
      }),
    )
  })

  it('is refused of another program, of another size, and before it is initialized', () => {
    fc.assert(
      fc.property(fields, (each) => {
        const data = encode(each)
        const owner = programIds.token
        expect(decodeTokenAccount({ owner: programIds.token2022, data })).toBeUndefined()
        expect(decodeTokenAccount({ owner, data: data.slice(1) })).toBeUndefined()
        expect(decodeTokenAccount({ owner, data: data.fill(0, 108, 109) })).toBeUndefined()
      }),
    )
  })
})

describe('a mint', () => {
  const encode = (supply: bigint, decimals: number, freezeAuthority: Pubkey | undefined) =>
    concatBytes([
      ...[optional(freezeAuthority), u64(supply), u8(decimals), u8(1)],
      optional(freezeAuthority),
    ])
  const refused = (reason: string) => ({ kind: 'refused', reason })

  it('is read', () => {
    fc.assert(
      fc.property(lamports, fc.nat(255), maybe, (supply, decimals, freezeAuthority) => {
        const data = encode(supply, decimals, freezeAuthority)
        expect(decodeMint({ owner: programIds.token, data })).toEqual({
          kind: 'mint',
          mint: { supply, decimals, freezeAuthority },
        })
      }),
    )
  })

  it('of Token-2022 is refused, whatever its extensions are', () => {
    const data = encode(1n, 6, undefined)
    expect(decodeMint({ owner: programIds.token2022, data })).toEqual(
      refused('Currencies of the Token-2022 program are not supported'),
    )
  })

  it('is neither a token account nor a wallet nor nothing', () => {
    const reason = 'This account is not a currency of the token program'
    const wallet = { owner: programIds.system, data: new Uint8Array() }
    const account = { owner: programIds.token, data: new Uint8Array(accountSizes.token) }
    const raw = { owner: programIds.token, data: new Uint8Array(accountSizes.mint) }
    for (const each of [wallet, account, raw]) expect(decodeMint(each)).toEqual(refused(reason))
    expect(decodeMint(undefined)).toEqual(refused('There is no account at this address'))
  })
})
