import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { depositHash, requestId } from '#test/support/fixtures/requestAnswer.ts'
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
beforeEach(() => {
  served.filters.length = 0
})

const withDeposit = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund']

describe('the filters of /requests/v3', () => {
  it.each<[string, object]>([
    ['', { statuses: withDeposit, first: 20 }],
    [
      '?limit=50&continuation=5-0xCURSOR',
      { statuses: withDeposit, first: 50, after: '5-0xCURSOR' },
    ],
    [`?id=${requestId}`, { requestId, first: 20 }],
    [`?id=${requestId}&includeChildRequests=true`, { family: requestId, first: 20 }],
    [`?id=${requestId}&status=success`, { requestId, statuses: ['success'], first: 20 }],
    [`?term=${account}`, { account, statuses: withDeposit, first: 20 }],
    ['?status=pending', { statuses: ['pending', 'submitted'], first: 20 }],
    [
      `?user=${account}&recipient=${usdc}&depositAddress=${usdc}&orderId=${requestId}`,
      {
        user: account,
        recipient: usdc,
        depositAddress: usdc,
        orderId: requestId,
        statuses: withDeposit,
        first: 20,
      },
    ],
    [
      `?depositTxHash=${requestId}&fillTxHash=${depositHash}&refundTxHash=${requestId}`,
      {
        depositTxHash: requestId,
        fillTxHash: depositHash,
        refundTxHash: requestId,
        statuses: withDeposit,
        first: 20,
      },
    ],
    [
      '?chainId=990001&failReason=SLIPPAGE&refundFailReason=MANUAL_REFUND_REQUIRED',
      {
        chainId: 990001,
        failReason: 'SLIPPAGE',
        refundFailReason: 'MANUAL_REFUND_REQUIRED',
        statuses: withDeposit,
        first: 20,
      },
    ],
    [
      `?chainId=5&currencyInChainId=990001&currencyOutChainId=990002&currencyInAddress=${usdc}&currencyOutAddress=${nativeAddress}`,
      {
        originChainId: 990001,
        destinationChainId: 990002,
        originCurrency: usdc,
        destinationCurrency: nativeAddress,
        statuses: withDeposit,
        first: 20,
      },
    ],
    [
      '?startTimestamp=0&endTimestamp=2&sortBy=createdAt&sortDirection=asc',
      { createdFrom: 0, createdUntil: 2_999, order: 'oldest', statuses: withDeposit, first: 20 },
    ],
  ])('%s', async (query, filter) => {
    const cursor = `5-0x${'ab'.repeat(32)}`
    expect((await served.ask(query.replace('5-0xCURSOR', cursor))).status).toBe(200)
    expect(served.filters).toEqual([
      JSON.parse(JSON.stringify(filter).replace('5-0xCURSOR', cursor)),
    ])
  })

  it('finds a term as a request id, else as a transaction', async () => {
    await served.ask(`?term=${requestId.toUpperCase().replace('0X', '0x')}`)
    await served.ask(`?term=${depositHash}`)
    expect(served.filters).toEqual([
      { requestId, first: 1 },
      { requestId, first: 20 },
      { requestId: depositHash, first: 1 },
      { txHash: depositHash, statuses: withDeposit, first: 20 },
    ])
  })

  it('finds nothing on two different origin chains', async () => {
    const query = '?originChainId=990001&currencyInChainId=990002&includeTotal=true'
    expect((await served.ask(query)).body).toEqual({ requests: [], total: 0 })
    expect(served.filters).toEqual([])
  })

  it('counts only when asked', async () => {
    expect((await served.ask('?includeTotal=true')).body).toMatchObject({
      continuation: '1-0x2',
      total: 77,
    })
    expect((await served.ask()).body).not.toHaveProperty('total')
  })

  it('filters by the own API key only', async () => {
    expect((await served.ask('?apiKey=mine&referrer=app', 'mine')).status).toBe(200)
    expect(served.filters).toEqual([
      { apiKey: 'name of mine', referrer: 'app', statuses: withDeposit, first: 20 },
    ])
    for (const [query, key, code] of [
      ['?apiKey=other', 'mine', 'FORBIDDEN'],
      ['?apiKey=mine,other', 'mine', 'FORBIDDEN'],
      ['?apiKey=mine', undefined, 'FORBIDDEN'],
      ['?apiKey=unknown', 'unknown', 'UNAUTHORIZED'],
    ] as const)
      expect((await served.ask(query, key)).body['errorCode']).toBe(code)
  })

  it.each<readonly [query: string, code: string, message: string]>([
    ['?limit=51', 'INVALID_REQUEST', 'limit: At most 50'],
    ['?continuation=x', 'INVALID_REQUEST', 'continuation: Not the `continuation` of a page'],
    ['?referrer=app', 'INVALID_REQUEST', 'referrer: Needs apiKey'],
    ['?referrer=&apiKey=mine', 'INVALID_REQUEST', 'referrer: Must not be empty'],
    ['?term=usdc', 'INVALID_REQUEST', 'term: Must be an address or 32 bytes'],
    [
      '?status=waiting',
      'INVALID_REQUEST',
      'status: One of success, failure, refund, pending, depositing',
    ],
    ['?hash=1', 'INVALID_REQUEST', 'hash: Unknown field'],
    ['?sortBy=size', 'INVALID_REQUEST', 'sortBy: One of createdAt, updatedAt, amountUsd'],
    ...['updatedAt', 'amountUsd'].map(
      (field) =>
        [
          `?sortBy=${field}`,
          'UNSUPPORTED_PARAMETER',
          'sortBy: This gateway sorts by createdAt only',
        ] as const,
    ),
    ...[
      'privateChainsToInclude',
      'requestType',
      'currencyInSymbol',
      'currencyOutSymbol',
      'startBlock',
      'endBlock',
      'amountUsdMin',
      'amountUsdMax',
      'appFeesAmountUsdMin',
      'appFeesAmountUsdMax',
      'fillTimeMin',
      'fillTimeMax',
      'features',
      'filters',
    ].map(
      (name) =>
        [
          `?${name}=1`,
          'UNSUPPORTED_PARAMETER',
          `${name}: This gateway does not serve this parameter`,
        ] as const,
    ),
  ])('refuse %s with %s', async (query, code, message) => {
    const { status, body } = await served.ask(query)
    expect([status, body['errorCode'], body['message']]).toEqual([400, code, message])
  })
})
