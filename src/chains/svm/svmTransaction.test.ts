import { describe, expect, it } from 'vitest'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { encodeBase58 } from '#src/core/units/svm/base58.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { parseTransaction } from './svmTransaction.ts'

const account = (byte: number) => pubkeyOf(new Uint8Array(32).fill(byte))
const signature = svmSignatureOf(new Uint8Array(64).fill(5))
const [payer, program, mint, vault, tokens, router] = [1, 2, 3, 4, 5, 6].map(account)

const call = (programIdIndex: number, accounts: readonly number[], data: readonly number[]) => ({
  programIdIndex,
  accounts,
  data: encodeBase58(Uint8Array.from(data)),
})
const inner = (stackHeight: number | null, ...args: Parameters<typeof call>) => ({
  ...call(...args),
  stackHeight,
})
const balance = (accountIndex: number, amount: string, of = mint) => ({
  accountIndex,
  mint: of,
  owner: vault,
  programId: program,
  uiTokenAmount: { amount, decimals: 6, uiAmount: 1, uiAmountString: '1' },
})

const raw = {
  slot: 77,
  blockTime: 1_700_000_000,
  version: 0,
  transaction: {
    signatures: [signature],
    message: {
      header: {
        numRequiredSignatures: 1,
        numReadonlySignedAccounts: 0,
        numReadonlyUnsignedAccounts: 1,
      },
      accountKeys: [payer, program, mint],
      recentBlockhash: account(9),
      instructions: [call(1, [0, 4], [1]), call(5, [3], [2])],
      addressTableLookups: [{ accountKey: account(8), writableIndexes: [0], readonlyIndexes: [1] }],
    },
  },
  meta: {
    err: null as unknown,
    fee: 5_000,
    preBalances: [10, 1, 1, 0, 0, 1],
    postBalances: [5, 1, 1, 2 ** 60, 0, 1],
    preTokenBalances: [balance(4, '7')],
    postTokenBalances: [balance(4, '18446744073709551615'), balance(3, '1')],
    innerInstructions: [
      {
        index: 1,
        instructions: [
          inner(2, 1, [0], [3]),
          inner(3, 2, [0], [4]),
          inner(3, 2, [3], [5]),
          inner(2, 1, [], [6]),
        ],
      },
    ],
    loadedAddresses: { writable: [vault, tokens], readonly: [router] },
    logMessages: [],
  },
}

const withMeta = (meta: object) => ({ ...raw, meta: { ...raw.meta, ...meta } })
const withMessage = (message: object) => ({
  ...raw,
  transaction: { ...raw.transaction, message: { ...raw.transaction.message, ...message } },
})

describe('a transaction', () => {
  const read = (answer: unknown) => parseTransaction(answer, signature)

  it('is read with the accounts of its lookup tables, and its calls in order', () => {
    const found = read(raw)
    expect(found).toMatchObject({
      signature,
      slot: 77n,
      blockTime: 1_700_000_000,
      error: undefined,
      fee: 5_000n,
      signers: [payer],
    })
    const shown = found?.instructions.map(({ programId, accounts, data, parent }) => [
      programId,
      accounts,
      data[0],
      parent,
    ])
    expect(shown).toEqual([
      [program, [payer, tokens], 1, undefined],
      [router, [vault], 2, undefined],
      [program, [payer], 3, 1],
      [mint, [payer], 4, 2],
      [mint, [vault], 5, 2],
      [program, [], 6, 1],
    ])
  })

  it('is read with the balances before and after', () => {
    const found = read(raw)
    expect(found?.lamports.get(payer as never)).toEqual({ before: 10n, after: 5n })
    // JSON numbers end here.
    expect(found?.lamports.get(vault as never)?.after).toBe(2n ** 53n - 1n)
    const shared = { mint, owner: vault, programId: program }
    expect(found?.tokens).toEqual(
      new Map([
        [tokens, { ...shared, before: 7n, after: 2n ** 64n - 1n }],
        [vault, { ...shared, before: 0n, after: 1n }],
      ]),
    )
    const closed = read(withMeta({ postTokenBalances: [] }))
    expect(closed?.tokens).toEqual(new Map([[tokens, { ...shared, before: 7n, after: 0n }]]))
    // Closed, and made again for another currency within the transaction.
    const other = read(withMeta({ postTokenBalances: [balance(4, '3', router)] }))
    expect(other?.tokens.get(tokens as never)).toMatchObject({
      mint: router,
      before: 0n,
      after: 3n,
    })
  })

  it('that failed has its error', () => {
    expect(read(withMeta({ err: { InstructionError: [1, { Custom: 6 }] } }))?.error).toBe(
      '{"InstructionError":[1,{"Custom":6}]}',
    )
  })

  it('with calls of unknown depth counts them as calls of the instruction', () => {
    const instructions = [inner(null, 1, [], [3]), inner(null, 2, [], [4])]
    const found = read(withMeta({ innerInstructions: [{ index: 0, instructions }] }))
    expect(found?.instructions.map(({ parent }) => parent)).toEqual([undefined, 0, 0, undefined])
  })

  it('with a huge instruction is read without its bytes', () => {
    const huge = { programIdIndex: 1, accounts: [], data: 'z'.repeat(14_000) }
    const found = read(withMessage({ instructions: [huge, call(5, [], [2])] }))
    expect(found?.instructions[0]?.data).toHaveLength(0)
  })

  it('that the node does not have is undefined', () => {
    expect(read(null)).toBeUndefined()
  })

  it.each([
    [
      'another signature',
      {
        ...raw,
        transaction: {
          ...raw.transaction,
          signatures: [svmSignatureOf(new Uint8Array(64).fill(6))],
        },
      },
    ],
    ['no metadata', { ...raw, meta: null }],
    ['no calls of programs recorded', withMeta({ innerInstructions: null })],
    ['an account that is not in the list', withMessage({ instructions: [call(6, [], [])] })],
    ['fewer balances than accounts', withMeta({ postBalances: [1] })],
    ['calls of no instruction', withMeta({ innerInstructions: [{ index: 2, instructions: [] }] })],
    [
      'a call without its caller',
      withMeta({ innerInstructions: [{ index: 0, instructions: [inner(3, 1, [], [])] }] }),
    ],
    ['data that is not base58', withMessage({ instructions: [{ ...call(1, [], []), data: '0' }] })],
    ['a token amount of 21 digits', withMeta({ preTokenBalances: [balance(4, '1'.repeat(21))] })],
  ])('is unusable with %s', (_, answer) => {
    expect(() => read(answer)).toThrow(UnusableAnswerError)
  })
})
