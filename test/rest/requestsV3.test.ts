import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { answerOf, depositHash, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import {
  account,
  type RequestsV3,
  serveRequestsV3,
  usdc,
} from '#test/support/gateways/serveRequestsV3.ts'

let served: RequestsV3
beforeAll(async () => {
  served = await serveRequestsV3()
})
afterAll(() => served.close())

describe('an answer of /requests/v3', () => {
  it('has null where an older quote stored nothing', async () => {
    served.answers(answerOf(stateAt(0)))
    expect(await served.requestOf()).toMatchObject({
      status: 'waiting',
      depositAddress: null,
      supersededByRequestId: null,
      protocol: null,
      data: {
        failReason: null,
        refundFailReason: null,
        timeEstimate: null,
        fees: null,
        appFees: { quoted: [], actual: [] },
        feeSponsorship: null,
        quoteOraclePrice: null,
        refundCurrencyData: null,
        externalMetadata: { moonpayId: null },
      },
    })
  })

  it('keeps the status `submitted`, and names reasons', async () => {
    served.answers(answerOf(stateAt(3)))
    expect(await served.requestOf()).toMatchObject({ status: 'submitted' })
    served.answers(
      answerOf({
        ...stateAt(2),
        status: 'failure',
        failReason: 'SLIPPAGE',
        refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
      }),
    )
    expect(await served.requestOf()).toMatchObject({
      status: 'failure',
      data: { failReason: 'SLIPPAGE', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' },
    })
  })

  it('shows a deposit address in its own form', async () => {
    served.answers(answerOf(stateAt(0), { depositAddress: usdc, depositor: account }))
    expect(await served.requestOf()).toMatchObject({
      features: ['deposit_address'],
      depositAddress: {
        address: usdc,
        type: 'strict',
        depositor: account,
        depositTxHash: null,
        recoveryAddress: null,
      },
    })
  })

  it.each([
    ['Bridge', {}],
    ['Crosschain Swap', { destinationCurrency: usdc }],
    ['Same-chain Swap', { execution: 'user', destinationChainId: 990001 }],
    ['Send', { execution: 'user', destinationChainId: 990001, originCurrency: nativeAddress }],
    [
      'Wrap',
      {
        execution: 'user',
        destinationChainId: 990001,
        originCurrency: nativeAddress,
        destinationCurrency: toAddress(`0x${'d1'.repeat(20)}`),
      },
    ],
    [null, { execution: 'upstream', upstream: { currencies: {} } }],
  ])('has the request type %s', async (requestType, terms) => {
    served.answers(answerOf(stateAt(0), terms))
    expect(await served.requestOf()).toMatchObject({ requestType })
  })

  it('names the transaction of a swap that reverted', async () => {
    const block = { number: 12n, hash: requestId }
    const transaction = { chainId: 990001, hash: depositHash, block }
    served.answers(
      answerOf(
        {
          ...stateAt(0),
          status: 'failure',
          failReason: 'TRANSACTION_REVERTED',
          steps: [[{ status: 'confirmed', transaction }]],
        },
        { execution: 'user', destinationChainId: 990001 },
      ),
    )
    expect(await served.requestOf()).toMatchObject({
      data: { failedTxHash: depositHash, failedTxBlockNumber: 12 },
    })
  })

  it('shows the referrer to the key of the quote only', async () => {
    served.answers(answerOf(stateAt(4), { apiKey: 'name of mine' }))
    const own = { referrer: 'a frontend', platformFee: null, apiKeyName: 'name of mine' }
    expect((await served.requestOf('?includeAuthenticatedData=true', 'mine'))?.data).toMatchObject(
      own,
    )
    for (const [query, key] of [
      ['?includeAuthenticatedData=true', 'other'],
      ['?includeAuthenticatedData=true', undefined],
      ['', 'mine'],
    ] as const)
      expect((await served.requestOf(query, key))?.data).not.toHaveProperty('apiKeyName')
  })
})
