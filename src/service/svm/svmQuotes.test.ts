import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import {
  incinerator,
  type Pubkey,
  pubkeyBytes,
  svmNative,
  toPubkey,
} from '#src/core/units/svm/pubkey.ts'
import { encodeProtocol } from '#src/gateway/rest/bodies/protocolBody.ts'
import { encodeSteps } from '#src/gateway/rest/bodies/stepBody.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { depositAddress, vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { encodeRequest } from '#src/requests/store/rows/requestRow.ts'
import { multiInput } from '#src/service/input/multiInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { multiInputQuote } from '#src/service/quote/multiInputQuote.ts'
import { price } from '#src/service/quote/price.ts'
import { quote } from '#src/service/quote/quote.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { client, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { sol, svmAccount, svmChain, svmProgram, svmUsdc } from '#test/support/fixtures/svmMarket.ts'
import { createSvmQuoteDeps } from '#test/support/fixtures/svmQuoteDeps.ts'

const [user, refundTo, feePayer] = [svmAccount(1), svmAccount(2), svmAccount(3)]
const evmUser = account('1')
const usdc = currencyOf(destinationChain, 'USDC')

const fromSvm = {
  user,
  recipient: account('4'),
  originChainId: svmChain,
  destinationChainId: destinationChain,
  originCurrency: svmUsdc.address,
  destinationCurrency: usdc.address,
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
}

const toSvm = {
  user: evmUser,
  recipient: refundTo,
  originChainId: originChain,
  destinationChainId: svmChain,
  originCurrency: currencyOf(originChain, 'USDC').address,
  destinationCurrency: svmUsdc.address,
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
}

const hash = `0x${'5'.repeat(64)}` as const

const dust = { tradeType: 'EXACT_OUTPUT', amount: '800000' }

type Changes = Parameters<typeof createSvmQuoteDeps>[0]

async function quoteOf(input: object, changes?: Changes) {
  const { deps, stored } = createSvmQuoteDeps(changes)
  const answer = await quote(deps, quoteInput.parse(input), loaders, client)
  const steps = await answer.steps()
  return { answer, steps, stored: stored[0] }
}

async function multiToSvm(svm?: SvmReads) {
  const { deps, stored } = createSvmQuoteDeps(svm && { svm })
  const input = multiInput.parse({
    user: evmUser,
    recipient: refundTo,
    origins: [{ chainId: originChain, currency: toSvm.originCurrency, amount: '100000000' }],
    destinationCurrency: svmUsdc.address,
    destinationChainId: svmChain,
    tradeType: 'EXACT_INPUT',
  })
  const answer = await multiInputQuote(deps, input, loaders, client)
  await answer.steps()
  return { answer, stored: stored[0] }
}

/** A chain on which the recipient's token account exists, and belongs to `owner`. */
function readsWithTokens(owner: Pubkey): SvmReads {
  const { svm } = createSvmQuoteDeps().deps
  const data = new Uint8Array(accountSizes.token)
  data.set(pubkeyBytes(svmUsdc.address))
  data.set(pubkeyBytes(owner), 32)
  data[108] = 1
  const found = { owner: programIds.token, data, lamports: 2_039_280n, executable: false }
  const at = associatedTokenAddress(refundTo, svmUsdc.address)
  return {
    ...svm,
    accounts: async (_, asked) => asked.map((each) => (each === at ? found : undefined)),
  }
}

/** The error of a quote of the input, as clients see it. */
async function errorOf(input: object, changes?: Changes) {
  const error = await quoteOf(input, changes).catch((thrown: unknown) => thrown)
  if (!(error instanceof AppError)) throw error instanceof Error ? error : new Error('no error')
  return `${error.code} ${error.message}`
}

describe('a quote from an svm chain', () => {
  it('asks for one deposit, in the form of the wallets’ adapters', async () => {
    const { steps, answer, stored } = await quoteOf(fromSvm, { randomHash: () => hash })
    const [body] = await encodeSteps(steps)
    const protocol = await answer.protocol()
    if (body === undefined || protocol === undefined || stored === undefined)
      throw new Error('none')
    expect(body).toMatchInlineSnapshot(`
      {
        "action": "Confirm transaction in your wallet",
        "depositAddress": "",
        "description": "Depositing funds to the relayer to execute the swap for USDC",
        "id": "deposit",
        "items": [
          {
            "check": {
              "endpoint": "/intents/status/v3?requestId=0x5555555555555555555555555555555555555555555555555555555555555555",
              "method": "GET",
            },
            "data": {
              "addressLookupTableAddresses": [],
              "chainId": 990004,
              "instructions": [
                {
                  "data": "031027000000000000",
                  "keys": [],
                  "programId": "ComputeBudget111111111111111111111111111111",
                },
                {
                  "data": "0b9c60da27a3b41300e1f50500000000da24014a954504cd489326ef5adcd5c5c1cf8998fc524576fd6b0cb4cc9fd54e0000000000000000",
                  "keys": [
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "J39qxvnbXygJaQ6W3nJXuasboUf54zEPzLe5DCy6gAhg",
                    },
                    {
                      "isSigner": true,
                      "isWritable": true,
                      "pubkey": "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "5J3dzJv9NN3x15XSXRnm6JqFTovr58oc1Xpebv9bwQJ7",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v",
                    },
                    {
                      "isSigner": false,
                      "isWritable": true,
                      "pubkey": "FDm5oA3vepYtPQFiST6Rs7NESLgLecEjU47GqVHQWpzH",
                    },
                    {
                      "isSigner": false,
                      "isWritable": true,
                      "pubkey": "HDu13wf8UVttavRTF8kxd4jWqejJeb5fx5WKiwrxa2aW",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
                    },
                    {
                      "isSigner": false,
                      "isWritable": false,
                      "pubkey": "11111111111111111111111111111111",
                    },
                    {
                      "isSigner": false,
                      "isWritable": true,
                      "pubkey": "EcgSDMjWhZY4ccyNG47L3QQ9D3YPSjhyJKgt7wcGeigb",
                    },
                    {
                      "isSigner": false,
                      "isWritable": true,
                      "pubkey": "5V5P9NWRYnJqUEBLTPKwWC7tXVbTgDwS9LEtjQZtFsCU",
                    },
                    {
                      "isSigner": true,
                      "isWritable": true,
                      "pubkey": "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9",
                    },
                  ],
                  "programId": "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx",
                },
                {
                  "data": "307835353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535353535",
                  "keys": [],
                  "programId": "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
                },
              ],
            },
            "status": "incomplete",
          },
        ],
        "kind": "transaction",
        "requestId": "0x5555555555555555555555555555555555555555555555555555555555555555",
      }
    `)
    expect(encodeProtocol(protocol).v2.paymentDetails).toEqual({
      chainId: 'devnet-solana',
      depository: svmProgram,
      currency: svmUsdc.address,
      amount: fromSvm.amount,
    })
    // Orders hash the bytes of accounts, and refunds go to the user: the recipient is on another machine.
    expect(protocol.orderData.inputs[0]?.refunds[0]?.recipient).toBe(user)
    expect(stored).toMatchObject({ user, refundTo: user, recipient: account('4') })
    expect(() => encodeRequest(stored)).not.toThrow()
  })

  it('states compute units, and their limit only if it is asked for', async () => {
    const plain = await quoteOf(fromSvm)
    const limited = await quoteOf({ ...fromSvm, includeComputeUnitLimit: true })
    const failing = await quoteOf(
      { ...fromSvm, includeComputeUnitLimit: true },
      { svm: { ...createSvmQuoteDeps().deps.svm, computeUnits: async () => undefined } },
    )
    const instructions = ({ steps }: typeof plain) => steps[0]?.svmItem?.instructions ?? []
    expect(await plain.steps[0]?.svmItem?.gas()).toBe(36_000n)
    expect(await failing.steps[0]?.svmItem?.gas()).toBeUndefined()
    expect(await failing.answer.issues.gas()).toEqual({ reason: 'WOULD_REVERT' })
    expect(instructions(limited)).toHaveLength(instructions(plain).length + 1)
    expect(instructions(failing)).toHaveLength(instructions(plain).length + 1)
    expect(instructions(limited)[0]).toMatchObject({
      programId: programIds.computeBudget,
      data: '02a08c0000',
    })
  })

  it('pays a strict deposit address that nobody has the key of', async () => {
    const terms = { useDepositAddress: true, strict: true, refundTo }
    const { steps, answer, stored } = await quoteOf({ ...fromSvm, ...terms })
    const protocol = await answer.protocol()
    if (protocol === undefined || stored?.execution !== 'solver') throw new Error('no order')
    const id = protocol.orderId
    const address = depositAddress(svmProgram, { id, depositor: refundTo })
    expect(protocol.depositAddress).toEqual({ address, depositor: refundTo, factory: svmProgram })
    expect(stored).toMatchObject({ depositAddress: address, depositor: refundTo })
    expect(steps[0]?.depositAddress).toBe(address)
    const programs = steps[0]?.svmItem?.instructions.map(({ programId }) => programId)
    expect(programs?.slice(-3)).toEqual([
      programIds.associatedToken,
      programIds.token,
      programIds.memo,
    ])
  })

  it('takes an unknown payer of a deposit address', async () => {
    const terms = { user: svmNative, useDepositAddress: true, strict: true, refundTo }
    const { stored } = await quoteOf({ ...fromSvm, ...terms })
    expect(stored).toMatchObject({ user: svmNative, refundTo })
  })

  it('has another account pay the fee and the rent, if it holds enough', async () => {
    const holding = (lamports: bigint) => ({
      svm: {
        ...createSvmQuoteDeps().deps.svm,
        accounts: async (_: unknown, asked: readonly unknown[]) =>
          asked.map(() => ({
            owner: programIds.system,
            data: new Uint8Array(),
            lamports,
            executable: false,
          })),
      },
    })
    const { steps } = await quoteOf({ ...fromSvm, depositFeePayer: feePayer }, holding(10n ** 9n))
    const item = steps[0]?.svmItem
    expect(item?.payer).toBe(feePayer)
    const called = item?.instructions.map(({ programId, keys, data }) => ({
      programId: toPubkey(programId),
      accounts: keys.map(({ pubkey }) => toPubkey(pubkey)),
      data: Uint8Array.from(Buffer.from(data, 'hex')),
    }))
    const [deposit] = (called ?? []).flatMap((each) =>
      each.programId === svmProgram ? [each] : [],
    )
    expect(deposit && decodeDepositoryCall(svmProgram, deposit)).toMatchObject({
      payer: feePayer,
      sender: user,
    })
    expect(
      await errorOf({ ...fromSvm, depositFeePayer: feePayer }, holding(1_000n)),
    ).toMatchInlineSnapshot(
      `"INSUFFICIENT_FUNDS depositFeePayer: GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse holds 1000 lamports on chain 990004, and the fee and the rent of the deposit need 2243200."`,
    )
  })

  it('counts what the user holds', async () => {
    const { answer } = await quoteOf({
      ...fromSvm,
      originCurrency: sol.address,
      amount: `9${'0'.repeat(11)}`,
    })
    expect(await answer.issues.balance()).toMatchObject({ expected: 9n * 10n ** 11n, actual: 0n })
    expect(await answer.issues.allowance()).toBeUndefined()
  })
})

describe('a quote to an svm chain', () => {
  it('hashes the bytes of its accounts, and names no router', async () => {
    const { steps, answer, stored } = await quoteOf(toSvm)
    const protocol = await answer.protocol()
    expect(protocol?.orderData.output).toMatchObject({
      chainId: 'devnet-solana',
      calls: [],
      extraData: `0x${'0'.repeat(64)}`,
      payments: [{ recipient: refundTo, currency: svmUsdc.address }],
    })
    expect(steps.map(({ id, svmItem }) => [id, svmItem])).toEqual([
      ['approve', undefined],
      ['deposit', undefined],
    ])
    expect(stored).toMatchObject({ user: evmUser, refundTo: evmUser, recipient: refundTo })
    expect((await answer.warnings()).map(({ code }) => code)).not.toContain('RECIPIENT_IS_CONTRACT')
  })

  it.each([
    ['a single quote', (svm?: SvmReads) => quoteOf(toSvm, svm && { svm })],
    ['a multi-input quote', multiToSvm],
  ] as const)('%s charges no rent for a token account that exists', async (_, quoted) => {
    const gasOf = async (owner?: Pubkey) => {
      const { answer, stored } = await quoted(owner && readsWithTokens(owner))
      if (stored?.execution !== 'solver') throw new Error('not filled by the solver')
      const { currencyOut, fees } = answer
      const { hasTokenAccount } = stored.fill
      return { hasTokenAccount, usd: fees.relayerGas.usd ?? 0n, out: currencyOut.amount }
    }
    const [missing, existing] = [await gasOf(), await gasOf(refundTo)]
    // The rent of a token account, 2,039,280 lamports at $0.25 for a SOL, in millionths of a dollar.
    const reserved = await gasOf(svmAccount(9))
    expect(missing.usd - existing.usd).toBeGreaterThanOrEqual(509n)
    expect(existing.out).toBeGreaterThan(missing.out)
    expect(existing.hasTokenAccount).toBe(true)
    // Its owner has given the account to another one.
    expect(reserved).toEqual(missing)
    expect(missing.hasTokenAccount).toBeUndefined()
  })

  it('counts on no token account for an open deposit address, or if no node answers', async () => {
    const open = { ...toSvm, useDepositAddress: true, refundTo: evmUser }
    const svm = readsWithTokens(refundTo)
    const outage = { ...svm, accounts: () => Promise.reject(new AppError('RPC_HTTP_ERROR', '')) }
    const contracts = new Map(
      [...createSvmQuoteDeps().deps.contracts].map(([id, each]) => [
        id,
        { ...each, depositAddressFactory: evmAddress(account('f')) },
      ]),
    )
    const quotes = [await quoteOf(open, { svm, contracts }), await quoteOf(toSvm, { svm: outage })]
    for (const { stored } of quotes) {
      if (stored?.execution !== 'solver') throw new Error('not filled by the solver')
      expect(stored.fill.hasTokenAccount).toBeUndefined()
    }
  })

  it('pays SOL for bridged SOL', async () => {
    const { answer } = await quoteOf({ ...toSvm, destinationCurrency: sol.address })
    expect(answer.currencyOut.currency).toEqual(sol)
    expect(answer.currencyOut.amount).toBeGreaterThan(0n)
  })
})

it('a multi-input quote has a step of each machine', async () => {
  const { deps, stored } = createSvmQuoteDeps()
  const input = multiInput.parse({
    user: evmUser,
    origins: [
      { chainId: originChain, currency: toSvm.originCurrency, amount: '100000000' },
      { chainId: svmChain, currency: svmUsdc.address, amount: '50000000', user },
    ],
    destinationCurrency: usdc.address,
    destinationChainId: destinationChain,
    tradeType: 'EXACT_INPUT',
  })
  const answer = await multiInputQuote(deps, input, loaders, client)
  const steps = await encodeSteps(await answer.steps())
  expect(
    steps.map(({ id, items }) => [
      id,
      ...items.map(({ data, check }) => ['instructions' in data, check !== undefined]),
    ]),
  ).toEqual([
    ['approve', [false, false]],
    ['deposit', [false, false]],
    ['deposit', [true, true]],
  ])
  const [request] = stored
  if (request?.execution !== 'solver') throw new Error('no order')
  expect(request.inputs.map((each) => [each.chainId, each.user, each.refundTo])).toEqual([
    [originChain, evmUser, evmUser],
    [svmChain, user, user],
  ])
})

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
