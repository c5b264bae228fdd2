import { describe, expect, it } from 'vitest'
import { svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { encodeProtocol } from '#src/gateway/rest/bodies/protocolBody.ts'
import { encodeSteps } from '#src/gateway/rest/bodies/stepBody.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { depositAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { encodeRequest } from '#src/requests/store/rows/requestRow.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { sol, svmProgram, svmUsdc } from '#test/support/fixtures/svmMarket.ts'
import { createSvmQuoteDeps } from '#test/support/fixtures/svmQuoteDeps.ts'
import {
  errorOf,
  feePayer,
  fromSvm,
  quoteOf,
  refundTo,
  user,
} from '#test/support/fixtures/svmQuotes.ts'

const hash = `0x${'5'.repeat(64)}` as const

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
