import { describe, expect, it } from 'vitest'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { useRequestRoutes } from '#test/support/gateways/useRequestRoutes.ts'

const routes = useRequestRoutes()

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
              "refundFailReason": "N/A",
              "subsidizedRequest": false,
            },
            "id": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            "protocol": {
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

  it('passes on every filter', async () => {
    const user = `0x${'11'.repeat(20)}`
    for (const query of [
      '',
      `?user=${user}&limit=100&continuation=abc`,
      '?status=pending&limit=1',
      '?status=waiting',
    ])
      await routes.get('/requests/v2', query)
    const executed = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund']
    expect(routes.filters).toEqual([
      { statuses: executed, first: 20 },
      { user, statuses: executed, first: 100, after: 'abc' },
      { statuses: ['pending', 'submitted'], first: 1 },
      { statuses: ['waiting'], first: 20 },
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
    expect(await found(`?id=${requestId}&user=0x${'11'.repeat(20)}`)).toEqual([])
    expect(await found(`?id=0x${'00'.repeat(32)}`)).toEqual([])
    expect(routes.filters).toEqual([])
  })

  it.each([
    ['?limit=0', 'limit: At least 1'],
    ['?limit=101', 'limit: At most 100'],
    ['?limit=x', 'limit: Must be an integer'],
    ['?status=submitted', 'status: One of waiting, depositing, pending, success, failure, refund'],
    ['?user=0x12', 'user: An address is 0x and 40 hexadecimal digits'],
    ['?id=1', 'id: Must be 0x and 64 hexadecimal digits'],
    ['?hash=1', 'hash: Unknown field'],
  ])('rejects %s', async (query, message) => {
    expect(await routes.refusal(`/requests/v2${query}`)).toEqual([
      400,
      query.includes('user') ? 'INVALID_ADDRESS' : 'INVALID_REQUEST',
      message,
    ])
  })
})
