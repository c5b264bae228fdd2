import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import type { RequestState } from '#src/requests/requestState.ts'
import type { RequestFilter } from '#src/requests/requestStore.ts'
import { createJudge } from './openApiDocument.ts'
import { answerOf, filledStates, requestId, stateAt } from './requestAnswer.ts'
import { createRestClient, type RestClient } from './restClient.ts'
import { type ServedGateway, serveGateway } from './serveGateway.ts'

let gateway: ServedGateway
let client: RestClient
let judge: ReturnType<typeof createJudge>
let answer = answerOf(stateAt(0))
const filters: RequestFilter[] = []
const hints: unknown[] = []
beforeAll(async () => {
  gateway = await serveGateway({
    requestStatus: async (id) => {
      if (id === requestId) return answer
      throw new AppError('UNKNOWN_REQUEST', `requestId: no request is ${id}`, { requestId: id })
    },
    requests: async (filter) => {
      filters.push(filter)
      return { requests: [answer], next: 'more' }
    },
    indexTransaction: async (hint) => {
      if (hint.chainId === 1)
        throw new AppError('UNSUPPORTED_CHAIN', 'chainId: chain 1 is not served')
      hints.push(hint)
    },
  })
  client = await createRestClient(gateway.url)
  judge = createJudge(await (await fetch(`${gateway.url}/openapi.json`)).json())
})
afterAll(() => gateway.close())
beforeEach(() => {
  filters.length = 0
  hints.length = 0
})

const refused = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${gateway.url}${path}`, init)
  const body = (await response.json()) as { errorCode: string; message: string }
  expect(judge.errorFaults(response.status, body)).toEqual([])
  return [response.status, body.errorCode, body.message]
}
const refusedPost = (path: string, body: object) =>
  refused(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('/intents/status/v3', () => {
  it('tells how a request stands', async () => {
    answer = answerOf(stateAt(3))
    expect(
      await client.get('/intents/status/v3', `?requestId=${requestId}&referrer=app`),
    ).toMatchInlineSnapshot(`
      {
        "destinationChainId": 990002,
        "failReason": "N/A",
        "inTxHashes": [
          "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
        ],
        "originChainId": 990001,
        "quoteCreatedAt": 1790000000000,
        "refundFailReason": "N/A",
        "status": "submitted",
        "txHashes": [
          "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
        ],
        "updatedAt": 1790000000003,
      }
    `)
  })

  it('takes an id in any case', async () => {
    const shouted = `0x${requestId.slice(2).toUpperCase()}`
    expect(await client.get('/intents/status/v3', `?requestId=${shouted}`)).toMatchObject({
      status: 'submitted',
    })
  })

  it('tells why a request failed', async () => {
    answer = answerOf({
      ...stateAt(2),
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    })
    expect(await client.get('/intents/status/v3', `?requestId=${requestId}`)).toMatchObject({
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    })
  })

  it.each(['/intents/status', '/intents/status/v2'])(
    'is at %s for clients that know no `submitted`',
    async (path) => {
      const seen = []
      for (const state of filledStates) {
        answer = answerOf(state)
        const body = (await client.get(path, `?requestId=${requestId}`)) as Record<string, unknown>
        expect(body['time']).toBe(body['updatedAt'])
        seen.push(body['status'])
      }
      expect(seen).toEqual(['waiting', 'waiting', 'pending', 'pending', 'success'])
    },
  )

  it('refuses what is no id, and knows when one is nobody’s', async () => {
    const nobodys = `0x${'00'.repeat(32)}`
    for (const path of ['/intents/status/v3', '/intents/status', '/intents/status/v2']) {
      expect(await refused(`${path}?requestId=${nobodys}`)).toEqual([
        404,
        'UNKNOWN_REQUEST',
        `requestId: no request is ${nobodys}`,
      ])
      expect(await refused(path)).toEqual([400, 'INVALID_REQUEST', 'requestId: Required'])
      expect(await refused(`${path}?requestId=0x12`)).toEqual([
        400,
        'INVALID_REQUEST',
        'requestId: 32 bytes are 0x and 64 hexadecimal digits',
      ])
      expect((await refused(`${path}?requestId=${requestId}&more=1`))[1]).toBe('INVALID_REQUEST')
    }
  })
})

describe('/requests/v2', () => {
  it('gives requests with what is known of them', async () => {
    answer = answerOf(stateAt(4))
    expect(await client.get('/requests/v2', '?limit=1')).toMatchInlineSnapshot(`
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

  it('gives no order of a swap that the user makes alone, and says whether it had an effect', async () => {
    const state: RequestState = {
      ...stateAt(2),
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      txHashes: stateAt(2).inTxHashes,
    }
    answer = answerOf(state, { execution: 'user', referrer: undefined })
    const { requests } = (await client.get('/requests/v2')) as { requests: object[] }
    expect(requests[0]).not.toHaveProperty('protocol')
    expect(requests[0]).toMatchObject({
      data: { outTxs: [{ status: 'failure', chainId: 990001, block: 12 }] },
    })
  })

  it('asks for what was asked for', async () => {
    const user = `0x${'11'.repeat(20)}`
    for (const query of [
      '',
      `?user=${user}&limit=100&continuation=abc`,
      '?status=pending&limit=1',
      '?status=waiting',
    ])
      await client.get('/requests/v2', query)
    const executed = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund']
    expect(filters).toEqual([
      { statuses: executed, first: 20 },
      { user, statuses: executed, first: 100, after: 'abc' },
      { statuses: ['pending', 'submitted'], first: 1 },
      { statuses: ['waiting'], first: 20 },
    ])
  })

  it('finds one by its id, where the other filters hold as well', async () => {
    answer = answerOf(stateAt(0))
    const found = async (query: string) => {
      const body = await client.get('/requests/v2', query)
      return (body as { requests: { id: string }[] }).requests.map(({ id }) => id)
    }
    expect(await found(`?id=${requestId}`)).toEqual([requestId])
    expect(await found(`?id=${requestId}&status=waiting&user=${answer.request.user}`)).toEqual([
      requestId,
    ])
    expect(await found(`?id=${requestId}&status=success`)).toEqual([])
    expect(await found(`?id=${requestId}&user=0x${'11'.repeat(20)}`)).toEqual([])
    expect(await found(`?id=0x${'00'.repeat(32)}`)).toEqual([])
    expect(filters).toEqual([])
  })

  it.each([
    ['?limit=0', 'limit: At least 1'],
    ['?limit=101', 'limit: At most 100'],
    ['?limit=x', 'limit: An integer'],
    ['?status=submitted', 'status: One of waiting, depositing, pending, success, failure, refund'],
    ['?user=0x12', 'user: An address is 0x and 40 hexadecimal digits'],
    ['?id=1', 'id: 32 bytes are 0x and 64 hexadecimal digits'],
    ['?hash=1', 'hash: No such field'],
  ])('refuses %s', async (query, message) => {
    expect(await refused(`/requests/v2${query}`)).toEqual([
      400,
      query.includes('user') ? 'INVALID_ADDRESS' : 'INVALID_REQUEST',
      message,
    ])
  })
})

describe('/transactions', () => {
  const txHash = `0x${'ab'.repeat(32)}`

  it('index takes a hint', async () => {
    const body = { chainId: '990001', txHash, referrer: 'app' }
    expect(await client.post('/transactions/index', body)).toEqual({
      message: 'The transaction is looked at now.',
    })
    await client.post('/transactions/index', { chainId: 990002, txHash, requestId })
    expect(hints).toEqual([
      { chainId: 990001, txHash },
      { chainId: 990002, txHash, requestId },
    ])
  })

  it('single takes the hint out of what a wallet sent', async () => {
    const sent = { from: '0x', to: '0x', data: `0x${'ab'.repeat(50_000)}`, value: '0', txHash }
    const replacementTxHash = `0x${'ac'.repeat(32)}`
    for (const tx of [sent, { ...sent, txHash: undefined, replacementTxHash }])
      await client.post('/transactions/single', {
        tx: JSON.stringify(tx),
        chainId: '990001',
        requestId,
        referrer: 'app',
      })
    expect(hints).toEqual([
      { chainId: 990001, txHash, requestId },
      { chainId: 990001, txHash: replacementTxHash, requestId },
    ])
  })

  const noChain = 'chainId: A chain id is a positive integer, or text of its digits'
  const noTx = 'tx: JSON of an object with the `txHash` of 32 bytes'

  it.each([
    [{ chainId: '1', txHash }, 'chainId: chain 1 is not served'],
    [
      { chainId: 'x', txHash: '0x' },
      `${noChain}; txHash: 32 bytes are 0x and 64 hexadecimal digits`,
    ],
    [{ chainId: 1.5, txHash }, noChain],
    [{}, `${noChain}; txHash: Required`],
  ])('index refuses %j', async (body, message) => {
    expect((await refusedPost('/transactions/index', body)).at(2)).toBe(message)
    expect(hints).toEqual([])
  })

  it.each([
    ['{}', noTx],
    ['null', noTx],
    ['{', noTx],
    ['{"txHash":5}', noTx],
    [5, 'tx: A transaction is a string of JSON'],
    [undefined, 'tx: Required'],
  ])('single refuses %j', async (tx, message) => {
    const body = { chainId: '990001', requestId, tx }
    expect((await refusedPost('/transactions/single', body)).at(2)).toBe(message)
    expect(hints).toEqual([])
  })
})
