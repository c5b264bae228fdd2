import { describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type OrderData, toOrderData } from '#src/protocol/order/protocolOrder.ts'
import type { QuotedRequest, QuoteSummary } from '#src/requests/quotedRequest.ts'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { paidState, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { useRequestRoutes } from '#test/support/gateways/useRequestRoutes.ts'

const routes = useRequestRoutes()

function orderDataOf(request: QuotedRequest): OrderData {
  if (request.execution !== 'solver') throw new Error('The fixture has an order')
  return toOrderData(request.order)
}

const summary: QuoteSummary = {
  inUsd: toUsd(3_000_000_000n),
  outUsd: toUsd(2_990_000_000n),
  rate: '0.99',
  slippageBps: toBps(50n),
  timeEstimate: 12,
  gas: { amount: toAmount(1n), chainId: toChainId(990001) },
  feeCurrency: { chainId: toChainId(990001), address: toAddress(`0x${'a1'.repeat(20)}`) },
  relayerGas: { amount: toAmount(400_000n), usd: toUsd(400_000n) },
  relayerService: { amount: toAmount(600_000n), usd: toUsd(600_000n) },
  app: { amount: toAmount(1_000n) },
  appFees: [{ recipient: nativeAddress, bps: toBps(3n), amount: toAmount(1_000n) }],
  topup: { amount: toAmount(7n), usd: toUsd(1n) },
}

describe('/requests/v2', () => {
  it('returns requests with all their data', async () => {
    routes.setAnswer(stateAt(4))
    expect(await routes.get('/requests/v2', '?limit=1')).toMatchInlineSnapshot(`
      {
        "continuation": "more",
        "requests": [
          {
            "createdAt": "2026-09-21T14:13:20.000Z",
            "data": {
              "failReason": "N/A",
              "inTxs": [
                {
                  "block": 12,
                  "chainId": 990001,
                  "hash": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                  "status": "success",
                  "type": "onchain",
                },
              ],
              "metadata": {
                "currencyOut": {
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
                "recipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
                "sender": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
              },
              "outTxs": [
                {
                  "block": 12,
                  "chainId": 990002,
                  "hash": "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
                  "status": "success",
                  "type": "onchain",
                },
              ],
              "price": "1000000000000000000",
              "refundFailReason": "N/A",
              "subsidizedRequest": false,
              "usesExternalLiquidity": false,
            },
            "id": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            "protocol": {
              "deposit": {
                "origin": {
                  "chainId": 990001,
                  "transactionId": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                },
              },
              "orderId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            },
            "recipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "referrer": "a frontend",
            "status": "success",
            "updatedAt": "2026-09-21T14:13:20.004Z",
            "user": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
          },
        ],
      }
    `)
  })

  it('shows what was paid in the place of the quoted output', async () => {
    routes.setAnswer(paidState, { summary })
    const { requests } = (await routes.get('/requests/v2')) as { requests: { data: object }[] }
    expect(requests[0]?.data).toMatchObject({
      price: '1000000000000000000',
      metadata: {
        currencyOut: {
          amount: '999000000000000000',
          amountFormatted: '0.999',
          amountUsd: '2987.010000',
          minimumAmount: '1000000000000000000',
        },
        currencyGasTopup: { amount: '5' },
      },
    })
  })

  it('shows the value and the costs of the quote, and the times of its transactions', async () => {
    const block = { number: 12n, hash: requestId, timestamp: 1_790_000_012 }
    const [inHash = requestId] = stateAt(4).inTxHashes
    const state: RequestState = {
      ...stateAt(4),
      steps: [[{ status: 'confirmed', transaction: { chainId: 990001, hash: inHash, block } }]],
    }
    routes.setAnswer(state, { summary, originCurrency: nativeAddress })
    const { requests } = (await routes.get('/requests/v2')) as { requests: { data: object }[] }
    expect(requests[0]?.data).toMatchObject({
      slippageTolerance: '50',
      timeEstimate: 12,
      fees: { gas: '400000', price: '600000', gateway: '1000' },
      feesUsd: { gas: '400000', price: '600000' },
      feeCurrency: 'usdc',
      appFees: [{ recipient: nativeAddress, bps: '3', amount: '1000' }],
      price: '1000000000000000000',
      inTxs: [{ timestamp: 1_790_000_012 }],
      metadata: {
        currencyIn: { amountUsd: '3000.000000' },
        currencyOut: { amountUsd: '2990.000000' },
        currencyGasTopup: { amount: '7', amountUsd: '0.000001', currency: { chainId: 990002 } },
        rate: '0.99',
      },
    })
    expect(requests[0]?.data).not.toHaveProperty('feesUsd.gateway')
    expect(requests[0]?.data).not.toHaveProperty('refundCurrencyData')
  })

  it('shows the amounts of a refund', async () => {
    const deposit = { chainId: 990002, currency: nativeAddress, amount: 10n ** 18n }
    routes.setAnswer({ ...stateAt(2), status: 'refund' }, {}, [
      { ...deposit, refundAmount: 4n * 10n ** 17n },
      { ...deposit, currency: requestId.slice(0, 42), refundAmount: 1n },
      { ...deposit, refundAmount: 5n * 10n ** 17n },
    ] as never)
    const { requests } = (await routes.get('/requests/v2')) as { requests: { data: object }[] }
    expect(requests[0]?.data).toMatchObject({
      refundCurrencyData: { amountFormatted: '0.9', currency: { symbol: 'ETH', chainId: 990002 } },
    })
  })

  it('omits the order of a swap that the user executes, and reports whether the swap changed balances', async () => {
    const state: RequestState = {
      ...stateAt(2),
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      txHashes: stateAt(2).inTxHashes,
    }
    routes.setAnswer(state, { execution: 'user', referrer: undefined })
    const { requests } = (await routes.get('/requests/v2')) as { requests: object[] }
    expect(requests[0]).not.toHaveProperty('protocol')
    expect(requests[0]).toMatchObject({
      data: { outTxs: [{ status: 'failure', chainId: 990001, block: 12 }] },
    })
  })

  it('shows an order once a deposit is found, and its output once the request has ended', async () => {
    const orderOf = async (query: string) => {
      const body = await routes.get('/requests/v2', query)
      return (body as { requests: { orderData?: OrderData }[] }).requests[0]?.orderData
    }
    const { request } = routes.setAnswer(stateAt(0))
    expect(await orderOf('?includeOrderData=true')).toBeUndefined()
    routes.setAnswer({ ...stateAt(4), status: 'pending' })
    const { output: _, ...pending } = orderDataOf(request)
    expect(await orderOf('?includeOrderData=true')).toEqual(pending)
    routes.setAnswer(stateAt(4))
    expect(await orderOf('?includeOrderData=true')).toEqual(orderDataOf(request))
    for (const query of ['', '?includeOrderData=false'])
      expect(await orderOf(query)).toBeUndefined()
    routes.setAnswer(stateAt(4), { execution: 'user' })
    expect(await orderOf('?includeOrderData=true')).toBeUndefined()
  })

  it('passes on every filter', async () => {
    const user = `0x${'11'.repeat(20)}`
    for (const query of [
      '',
      `?user=${user}&limit=100&continuation=5-${requestId}`,
      `?hash=${requestId}&orderId=${requestId}&referrer=one&startTimestamp=5&endTimestamp=6`,
      '?chainId=990001',
      '?chainId=990001&originChainId=990001&destinationChainId=990002',
      '?status=pending&limit=1',
      '?status=waiting',
      '?sortBy=createdAt&sortDirection=asc&limit=1',
      '?sortBy=createdAt&sortDirection=desc&limit=1',
    ])
      await routes.get('/requests/v2', query)
    const executed = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund']
    expect(routes.filters).toEqual([
      { statuses: executed, first: 20 },
      { account: user, statuses: executed, first: 100, after: `5-${requestId}` },
      {
        txHash: requestId,
        orderId: requestId,
        referrer: 'one',
        statuses: executed,
        createdFrom: 5_000,
        createdUntil: 6_999,
        first: 20,
      },
      { chainId: 990001, statuses: executed, first: 20 },
      { originChainId: 990001, destinationChainId: 990002, statuses: executed, first: 20 },
      { statuses: ['pending', 'submitted'], first: 1 },
      { statuses: ['waiting'], first: 20 },
      { statuses: executed, order: 'oldest', first: 1 },
      { statuses: executed, first: 1 },
    ])
  })

  it('finds a request by its id, and applies the other filters too', async () => {
    const { request } = routes.setAnswer(stateAt(0))
    const found = async (query: string) => {
      const body = await routes.get('/requests/v2', query)
      return (body as { requests: { id: string }[] }).requests.map(({ id }) => id)
    }
    expect(await found(`?id=${requestId}`)).toEqual([requestId])
    expect(await found(`?id=${requestId}&status=waiting&user=${request.user}`)).toEqual([requestId])
    expect(await found(`?id=${requestId}&status=success`)).toEqual([])
    for (const other of [
      `user=0x${'11'.repeat(20)}`,
      `hash=${requestId}`,
      // Nobody but the user knows it yet.
      `orderId=${requestId}`,
      'chainId=1',
      'originChainId=990002',
      'destinationChainId=990001',
      'referrer=another',
      'startTimestamp=1790000001',
      'endTimestamp=1789999999',
    ])
      expect(await found(`?id=${requestId}&${other}`)).toEqual([])
    const own =
      'chainId=990002&referrer=a%20frontend&startTimestamp=1790000000&endTimestamp=1790000000'
    expect(await found(`?id=${requestId}&${own}`)).toEqual([requestId])
    expect(await found(`?id=0x${'00'.repeat(32)}`)).toEqual([])
    expect(routes.filters).toEqual([])
  })

  it.each([
    ['?limit=0', 'limit: At least 1'],
    ['?limit=-1', 'limit: At least 1'],
    ['?limit=101', 'limit: At most 100'],
    ['?limit=1000', 'limit: At most 100'],
    ['?limit=x', 'limit: Must be an integer'],
    ['?status=submitted', 'status: One of waiting, depositing, pending, success, failure, refund'],
    ['?user=0x12', 'user: An address is 0x and 40 hexadecimal digits'],
    ['?id=1', 'id: Must be 0x and 64 hexadecimal digits'],
    ['?hash=1', 'hash: Must be 0x and 64 hexadecimal digits'],
    ['?sortBy=updatedAt', 'sortBy: Requests are sorted by createdAt only'],
    ['?sortDirection=up', 'sortDirection: One of asc, desc'],
    ['?includeOrderData=yes', 'includeOrderData: Must be true or false'],
    ['?startBlock=1', 'startBlock: Unknown field'],
    ['?startTimestamp=1.5', 'startTimestamp: Must be a whole number of seconds since 1970'],
    ['?chainId=0', 'chainId: A chain id must be a positive integer'],
  ])('rejects %s', async (query, message) => {
    expect(await routes.refusal(`/requests/v2${query}`)).toEqual([
      400,
      query.includes('user') ? 'INVALID_ADDRESS' : 'INVALID_REQUEST',
      message,
    ])
  })
})
