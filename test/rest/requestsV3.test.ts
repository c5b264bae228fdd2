import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { QuoteSummary } from '#src/requests/quotedRequest.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { answerOf, depositHash, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const usdc = toAddress(`0x${'a1'.repeat(20)}`)
const account = toAddress(`0x${'11'.repeat(20)}`)

const summary: QuoteSummary = {
  inUsd: toUsd(3_000_000_000n),
  outUsd: toUsd(2_990_000_000n),
  rate: '0.99',
  slippageBps: toBps(50n),
  timeEstimate: 12,
  gas: { amount: toAmount(1n), chainId: toChainId(990001) },
  feeCurrency: { chainId: toChainId(990001), address: usdc },
  relayerGas: { amount: toAmount(400_000n), usd: toUsd(400_000n) },
  relayerService: { amount: toAmount(600_000n), usd: toUsd(600_000n) },
  app: { amount: toAmount(1_000n), usd: toUsd(1_000n) },
  appFees: [{ recipient: account, bps: toBps(3n), amount: toAmount(1_000n) }],
  topup: { amount: toAmount(7n), usd: toUsd(1n) },
}

let gateway: ServedGateway
let validator: ReturnType<typeof createOpenApiValidator>
let answer = answerOf(stateAt(4))
const filters: RequestFilter[] = []
beforeAll(async () => {
  gateway = await serveGateway({
    requests: async (filter) => {
      filters.push(filter)
      const isOther = filter.requestId !== undefined && filter.requestId !== requestId
      return { requests: isOther ? [] : [answer], next: filter.after ? undefined : '1-0x2' }
    },
    countRequests: async () => 77,
    callerName: ({ apiKey }) => {
      if (apiKey === 'unknown') throw new AppError('UNAUTHORIZED', 'x-api-key: unknown API key')
      return apiKey && `name of ${apiKey}`
    },
  })
  validator = createOpenApiValidator(await (await fetch(`${gateway.url}/openapi.json`)).json())
})
afterAll(() => gateway.close())
beforeEach(() => {
  filters.length = 0
  answer = answerOf(stateAt(4))
})

async function ask(query = '', apiKey?: string) {
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  const response = await fetch(`${gateway.url}/requests/v3${query}`, { headers })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  const faults =
    response.status === 200
      ? validator.answerFaults('/requests/v3', 'GET', body)
      : validator.errorFaults(response.status, body)
  expect(faults).toEqual([])
  return { status: response.status, body }
}

const requestOf = async (query?: string, apiKey?: string) => {
  const { body } = await ask(query, apiKey)
  return (body as { requests: [{ data: Record<string, unknown> }] }).requests[0]
}

describe('an answer of /requests/v3', () => {
  it('has the app fees that were paid, and none of those that are unknown', async () => {
    const settled = {
      depositId: 'deposit',
      chainId: toChainId(990001),
      txHash: depositHash,
      timestamp: 1,
      orderId: requestId,
      depositor: account,
      currency: usdc,
      amount: toAmount(2_991_000_000n),
      status: 'settled' as const,
      version: 1,
      claims: [],
    }
    const { request, ...of } = answerOf(stateAt(4), { summary })
    if (request.execution !== 'solver') throw new Error('Not what the solver fills')
    const order = {
      ...request.order,
      fees: [{ ...request.order.fees[0], recipient: account, amount: 1_000n }],
    } as typeof request.order
    const withDeposit = (paid: object) => ({
      ...of,
      request: { ...request, order },
      deposits: async () => [{ ...settled, ...paid }],
    })
    const actual = async () =>
      ((await requestOf())?.data['appFees'] as { actual: unknown } | undefined)?.actual
    answer = withDeposit({ paid: [{ recipient: account, amount: toAmount(990n) }] })
    expect(await actual()).toEqual([
      {
        recipient: account,
        bps: '3',
        amount: '990',
        amountFormatted: '0.00099',
        amountUsd: '0.000990',
      },
    ])
    answer = withDeposit({})
    expect(await actual()).toEqual([])
  })

  it('has every field of a filled request', async () => {
    const deposit = {
      depositId: `990001:${depositHash}:0`,
      chainId: toChainId(990001),
      txHash: depositHash,
      timestamp: 1_790_000_000,
      orderId: requestId,
      depositor: account,
      currency: usdc,
      amount: toAmount(2_991_000_000n),
      status: 'filled' as const,
      version: 1,
      claims: [],
    }
    answer = answerOf(stateAt(4), { summary, originCurrency: usdc }, [deposit])
    expect((await ask()).body).toMatchInlineSnapshot(`
      {
        "continuation": "1-0x2",
        "requests": [
          {
            "createdAt": "2026-09-21T14:13:20.000Z",
            "data": {
              "appFees": {
                "actual": [],
                "currency": {
                  "address": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                  "chainId": 990001,
                  "decimals": 6,
                  "metadata": {
                    "isNative": false,
                    "logoURI": "https://example.org/USDC.svg",
                    "verified": true,
                  },
                  "name": "USDC of 990001",
                  "symbol": "USDC",
                },
                "quoted": [
                  {
                    "amount": "1000",
                    "amountFormatted": "0.001",
                    "bps": "3",
                    "recipient": "0x1111111111111111111111111111111111111111",
                  },
                ],
              },
              "externalMetadata": {
                "moonpayId": null,
              },
              "failReason": null,
              "feeSponsorship": null,
              "fees": {
                "actual": null,
                "currency": {
                  "address": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                  "chainId": 990001,
                  "decimals": 6,
                  "metadata": {
                    "isNative": false,
                    "logoURI": "https://example.org/USDC.svg",
                    "verified": true,
                  },
                  "name": "USDC of 990001",
                  "symbol": "USDC",
                },
                "quoted": {
                  "app": {
                    "amount": "1000",
                    "amountFormatted": "0.001",
                    "usd": "-0.001000",
                  },
                  "execution": {
                    "amount": "400000",
                    "amountFormatted": "0.4",
                    "usd": "-0.400000",
                  },
                  "platform": {
                    "amount": "600000",
                    "amountFormatted": "0.6",
                    "usd": "-0.600000",
                  },
                  "sponsored": {
                    "amount": "0",
                    "amountFormatted": "0.0",
                    "usd": "0",
                  },
                  "swap": {
                    "amount": null,
                    "amountFormatted": null,
                    "usd": "-8.999000",
                  },
                },
              },
              "inTxs": [
                {
                  "block": 12,
                  "chainId": 990001,
                  "status": "success",
                  "txHash": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                  "type": "onchain",
                },
              ],
              "outTxs": [
                {
                  "block": 12,
                  "chainId": 990002,
                  "status": "success",
                  "txHash": "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
                  "type": "onchain",
                },
              ],
              "quoteOraclePrice": null,
              "refundCurrencyData": null,
              "refundFailReason": null,
              "route": {
                "actual": null,
                "quoted": {
                  "destination": {
                    "currencyGasTopup": {
                      "amount": "7",
                      "amountFormatted": "0.000000000000000007",
                      "amountUsd": "0.000001",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "7",
                    },
                    "inputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1.0",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "1000000000000000000",
                    },
                    "outputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1.0",
                      "amountUsd": "2990.000000",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "1000000000000000000",
                    },
                    "router": "relay",
                  },
                  "origin": {
                    "inputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1000000000000.0",
                      "amountUsd": "3000.000000",
                      "currency": {
                        "address": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                        "chainId": 990001,
                        "decimals": 6,
                        "metadata": {
                          "isNative": false,
                          "logoURI": "https://example.org/USDC.svg",
                          "verified": true,
                        },
                        "name": "USDC of 990001",
                        "symbol": "USDC",
                      },
                      "minimumAmount": "1000000000000000000",
                    },
                    "outputCurrency": null,
                    "router": "relay",
                  },
                },
              },
              "slippageTolerance": "50",
              "timeEstimate": 12,
              "triggeredByFastFill": false,
              "usesExternalLiquidity": false,
            },
            "depositAddress": null,
            "features": [
              "gas_top_up",
              "app_fees",
            ],
            "id": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            "protocol": {
              "deposit": {
                "origin": {
                  "amount": "2991000000",
                  "chainId": 990001,
                  "currency": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                  "depositor": "0x1111111111111111111111111111111111111111",
                  "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
                  "transactionId": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                },
              },
              "orderId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
              "settlement": {
                "destination": {
                  "fills": [
                    {
                      "chainId": 990002,
                      "transactionId": "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
                    },
                  ],
                  "refunds": [],
                },
              },
              "solver": {
                "address": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                "protocolChainId": "one",
              },
            },
            "recipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "refundTo": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "requestType": "Bridge",
            "sender": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "status": "success",
            "supersededByRequestId": null,
            "updatedAt": "2026-09-21T14:13:20.004Z",
            "user": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
          },
        ],
      }
    `)
  })

  it('has null where an older quote stored nothing', async () => {
    answer = answerOf(stateAt(0))
    expect(await requestOf()).toMatchObject({
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
    answer = answerOf(stateAt(3))
    expect(await requestOf()).toMatchObject({ status: 'submitted' })
    answer = answerOf({
      ...stateAt(2),
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    })
    expect(await requestOf()).toMatchObject({
      status: 'failure',
      data: { failReason: 'SLIPPAGE', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' },
    })
  })

  it('shows a deposit address in its own form', async () => {
    answer = answerOf(stateAt(0), { depositAddress: usdc, depositor: account })
    expect(await requestOf()).toMatchObject({
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
    answer = answerOf(stateAt(0), terms)
    expect(await requestOf()).toMatchObject({ requestType })
  })

  it('names the transaction of a swap that reverted', async () => {
    const block = { number: 12n, hash: requestId }
    const transaction = { chainId: 990001, hash: depositHash, block }
    answer = answerOf(
      {
        ...stateAt(0),
        status: 'failure',
        failReason: 'TRANSACTION_REVERTED',
        steps: [[{ status: 'confirmed', transaction }]],
      },
      { execution: 'user', destinationChainId: 990001 },
    )
    expect(await requestOf()).toMatchObject({
      data: { failedTxHash: depositHash, failedTxBlockNumber: 12 },
    })
  })

  it('shows the referrer to the key of the quote only', async () => {
    answer = answerOf(stateAt(4), { apiKey: 'name of mine' })
    const own = { referrer: 'a frontend', platformFee: null, apiKeyName: 'name of mine' }
    expect((await requestOf('?includeAuthenticatedData=true', 'mine'))?.data).toMatchObject(own)
    for (const [query, key] of [
      ['?includeAuthenticatedData=true', 'other'],
      ['?includeAuthenticatedData=true', undefined],
      ['', 'mine'],
    ] as const)
      expect((await requestOf(query, key))?.data).not.toHaveProperty('apiKeyName')
  })
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
    expect((await ask(query.replace('5-0xCURSOR', cursor))).status).toBe(200)
    expect(filters).toEqual([JSON.parse(JSON.stringify(filter).replace('5-0xCURSOR', cursor))])
  })

  it('finds a term as a request id, else as a transaction', async () => {
    await ask(`?term=${requestId.toUpperCase().replace('0X', '0x')}`)
    await ask(`?term=${depositHash}`)
    expect(filters).toEqual([
      { requestId, first: 1 },
      { requestId, first: 20 },
      { requestId: depositHash, first: 1 },
      { txHash: depositHash, statuses: withDeposit, first: 20 },
    ])
  })

  it('finds nothing on two different origin chains', async () => {
    const query = '?originChainId=990001&currencyInChainId=990002&includeTotal=true'
    expect((await ask(query)).body).toEqual({ requests: [], total: 0 })
    expect(filters).toEqual([])
  })

  it('counts only when asked', async () => {
    expect((await ask('?includeTotal=true')).body).toMatchObject({
      continuation: '1-0x2',
      total: 77,
    })
    expect((await ask()).body).not.toHaveProperty('total')
  })

  it('filters by the own API key only', async () => {
    expect((await ask('?apiKey=mine&referrer=app', 'mine')).status).toBe(200)
    expect(filters).toEqual([
      { apiKey: 'name of mine', referrer: 'app', statuses: withDeposit, first: 20 },
    ])
    for (const [query, key, code] of [
      ['?apiKey=other', 'mine', 'FORBIDDEN'],
      ['?apiKey=mine,other', 'mine', 'FORBIDDEN'],
      ['?apiKey=mine', undefined, 'FORBIDDEN'],
      ['?apiKey=unknown', 'unknown', 'UNAUTHORIZED'],
    ] as const)
      expect((await ask(query, key)).body['errorCode']).toBe(code)
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
    const { status, body } = await ask(query)
    expect([status, body['errorCode'], body['message']]).toEqual([400, code, message])
  })
})
