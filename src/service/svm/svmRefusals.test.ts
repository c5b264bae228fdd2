import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { incinerator, pubkeyBytes, svmNative } from '#src/core/units/svm/pubkey.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { price } from '#src/service/quote/price.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { client, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { sol, svmChain, svmProgram, svmUsdc } from '#test/support/fixtures/svmMarket.ts'
import { createSvmQuoteDeps } from '#test/support/fixtures/svmQuoteDeps.ts'
import {
  errorOf,
  evmUser,
  fromSvm,
  quoteOf,
  refundTo,
  toSvm,
  usdc,
  user,
} from '#test/support/fixtures/svmQuotes.ts'

const dust = { tradeType: 'EXACT_OUTPUT', amount: '800000' }

describe('refuses', () => {
  it('accounts in the form of another chain, all at once', async () => {
    const input = { ...fromSvm, user: evmUser, refundTo: account('3'), recipient: user }
    expect(await errorOf(input)).toMatchInlineSnapshot(
      `"INVALID_ADDRESS user: an address on chain 990004 is 32 bytes in base58; refundTo: an address on chain 990004 is 32 bytes in base58; recipient: an address on chain 990002 is 0x and 40 hexadecimal digits."`,
    )
    expect(await errorOf({ ...toSvm, destinationCurrency: usdc.address })).toMatchInlineSnapshot(
      `"INVALID_ADDRESS destinationCurrency: an address on chain 990004 is 32 bytes in base58."`,
    )
    expect(await errorOf({ ...fromSvm, originCurrency: usdc.address })).toMatchInlineSnapshot(
      `"INVALID_ADDRESS originCurrency: an address on chain 990004 is 32 bytes in base58."`,
    )
  })

  it('a missing recipient, which the user is not on the other machine', async () => {
    expect(await errorOf({ ...fromSvm, recipient: undefined })).toMatchInlineSnapshot(
      `"INVALID_REQUEST recipient: required: the user has no address on chain 990002."`,
    )
    const { deps } = createSvmQuoteDeps()
    const shown = await price(
      deps,
      { ...quoteInput.parse(fromSvm), ...{ user: null, recipient: null } },
      loaders,
      client,
    )
    expect([shown.sender, shown.recipient]).toEqual([svmNative, account('0')])
  })

  it('what a side on an svm chain does not support', async () => {
    const inputs = [
      ['usePermit', { ...fromSvm, usePermit: true }],
      ['appFees', { ...fromSvm, appFees: [{ recipient: user, fee: '10' }] }],
      ['txs', { ...toSvm, txs: [{ to: account('6'), value: '0', data: '0x' }] }],
      ['topupGas', { ...toSvm, topupGas: true }],
      [
        'a swap on one chain',
        {
          ...fromSvm,
          recipient: refundTo,
          destinationChainId: svmChain,
          destinationCurrency: sol.address,
        },
      ],
      [
        'a send on one chain',
        {
          ...fromSvm,
          recipient: refundTo,
          destinationChainId: svmChain,
          destinationCurrency: svmUsdc.address,
          forceSolverExecution: true,
        },
      ],
      ['the zero account', { ...fromSvm, useDepositAddress: true, user: svmNative }],
      [
        'a burn address',
        { ...fromSvm, useDepositAddress: true, strict: true, refundTo: incinerator },
      ],
      ['a program', { ...toSvm, recipient: programIds.token }],
      ['a mint', { ...toSvm, recipient: svmUsdc.address }],
      [
        'an account without a key',
        { ...toSvm, recipient: associatedTokenAddress(user, svmUsdc.address) },
      ],
      [
        'our vault',
        { ...toSvm, recipient: vaultAddress(svmProgram), destinationCurrency: sol.address },
      ],
      ['too little SOL for a new account', { ...toSvm, destinationCurrency: sol.address, ...dust }],
    ] as const
    const errors: Record<string, string> = {}
    for (const [name, input] of inputs) errors[name] = await errorOf(input)
    expect(errors).toMatchInlineSnapshot(`
      {
        "a burn address": "INVALID_RECIPIENT refundTo: nobody has the key of 1nc1nerator11111111111111111111111111111111; use another account.",
        "a mint": "INVALID_RECIPIENT recipient: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v is the contract of a currency on chain 990004; funds would be lost.",
        "a program": "INVALID_RECIPIENT recipient: TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA is a program or sysvar of the cluster; funds would be lost.",
        "a send on one chain": "UNSUPPORTED_ROUTE destinationChainId: on chain 990004 a wallet sends without a quote; name another destination.",
        "a swap on one chain": "NO_SWAP_ROUTES_FOUND destinationChainId: nothing is swapped on chain 990004 alone; name another destination.",
        "an account without a key": "INVALID_RECIPIENT recipient: FDm5oA3vepYtPQFiST6Rs7NESLgLecEjU47GqVHQWpzH is an address of a program, which nobody has the key of; use a wallet.",
        "appFees": "UNSUPPORTED_EXECUTION_TYPE appFees: the depository of the chain pays no app fees; leave it out.",
        "our vault": "INVALID_RECIPIENT recipient: 5J3dzJv9NN3x15XSXRnm6JqFTovr58oc1Xpebv9bwQJ7 is an account of this gateway on chain 990004; funds would be lost.",
        "the zero account": "INVALID_RECIPIENT refundTo: 11111111111111111111111111111111 is the contract of a currency on chain 990004; funds would be lost.",
        "too little SOL for a new account": "AMOUNT_TOO_LOW recipient: 9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu does not exist yet, and 800000 is less than the 890880 that a new account on chain 990004 must get; use a larger amount or another account.",
        "topupGas": "UNSUPPORTED_EXECUTION_TYPE topupGas: a gas top-up needs an EVM chain as the destination; leave it out.",
        "txs": "EXTRA_TXS_NOT_SUPPORTED txs: calls of contracts need an EVM chain as the destination; leave it out.",
        "usePermit": "UNSUPPORTED_EXECUTION_TYPE usePermit: no currency of the chain is paid by a signature alone; leave it out.",
      }
    `)
  })

  it('token accounts, which only the chain knows', async () => {
    const data = new Uint8Array(accountSizes.token)
    data.set(pubkeyBytes(svmUsdc.address))
    data.set(pubkeyBytes(user), 32)
    data[108] = 1
    const tokenAccount = { owner: programIds.token, data, lamports: 1n, executable: false }
    const changes = (found: object) => ({
      svm: {
        ...createSvmQuoteDeps().deps.svm,
        accounts: async (_: unknown, asked: readonly unknown[]) => asked.map(() => found as never),
      },
    })
    expect(await errorOf(toSvm, changes(tokenAccount))).toMatchInlineSnapshot(
      `"INVALID_RECIPIENT recipient: 9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu is a token account; use its owner AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9; funds would be lost."`,
    )
    expect(
      await errorOf(toSvm, changes({ ...tokenAccount, owner: svmProgram, data: new Uint8Array() })),
    ).toMatchInlineSnapshot(
      `"INVALID_RECIPIENT recipient: 9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu is an account of the program US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx; funds would be lost."`,
    )
  })
})

it('takes all payees if no node answers', async () => {
  const fails = async () => {
    throw new AppError('RPC_HTTP_ERROR', 'down')
  }
  const svm = { accounts: fails, balance: async () => toAmount(0n), computeUnits: fails }
  const { steps } = await quoteOf({ ...fromSvm, includeComputeUnitLimit: true }, { svm })
  expect(steps[0]?.svmItem?.instructions[0]?.programId).toBe(programIds.computeBudget)
})
