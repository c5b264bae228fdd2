import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { shortAmounts } from '#test/support/orders/shortAmounts.ts'

let gateway: ServedGateway
let rest: RestClient
beforeAll(async () => {
  gateway = await serveGateway({ quote: async () => cannedQuote })
  rest = await createRestClient(gateway.url)
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

type Body = Record<string, Record<string, unknown>>

describe('POST /price', () => {
  it('returns fees and details', async () => {
    const body = (await rest.post('/price', crossChainInput)) as Body
    expect(body['fees']?.['gas']).toMatchInlineSnapshot(`
      {
        "amount": "2000000000000000",
        "amountFormatted": "0.002",
        "amountUsd": "6.000000",
        "currency": {
          "address": "0x0000000000000000000000000000000000000000",
          "chainId": 990001,
          "decimals": 18,
          "metadata": {
            "isNative": true,
            "logoURI": "https://example.org/ETH.svg",
            "verified": true,
          },
          "name": "ETH of 990001",
          "symbol": "ETH",
        },
        "minimumAmount": "2000000000000000",
      }
    `)
    expect(shortAmounts(body)).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "ageMs": 1500,
            "chainId": 990001,
            "hash": "0xabababababababababababababababababababababababababababababababab",
            "number": 1234,
            "timestamp": 1700000000,
          },
          {
            "ageMs": 1500,
            "chainId": 990002,
            "hash": "0xabababababababababababababababababababababababababababababababab",
            "number": 1234,
            "timestamp": 1700000000,
          },
        ],
        "details": {
          "currencyIn": "1000000000000000000 (1.0) ETH on 990001, $3000.000000, at least 1000000000000000000",
          "currencyOut": "2990000000 (2990.0) USDC on 990002, $2990.000000, at least 2975050000",
          "operation": "swap",
          "rate": "2990",
          "recipient": "0x2222222222222222222222222222222222222222",
          "sender": "0x1111111111111111111111111111111111111111",
          "slippageTolerance": {
            "destination": {
              "percent": "0.50",
              "value": "14950000",
            },
            "origin": {
              "percent": "0.50",
              "usd": "14.955000",
              "value": "14955000",
            },
          },
          "swapImpact": {
            "percent": "-0.30",
            "usd": "-9.000000",
          },
          "timeEstimate": 13,
          "totalImpact": {
            "percent": "-0.33",
            "usd": "-10.000000",
          },
          "userBalance": "5000000000000000000",
        },
        "fees": {
          "app": "0 (0.0) USDC on 990001, $0, at least 0",
          "gas": "2000000000000000 (0.002) ETH on 990001, $6.000000, at least 2000000000000000",
          "relayer": "1000000 (1.0) USDC on 990001, $1.000000, at least 1000000",
          "relayerGas": "400000 (0.4) USDC on 990001, $0.400000, at least 400000",
          "relayerService": "600000 (0.6) USDC on 990001, $0.600000, at least 600000",
          "subsidized": "0 (0.0) USDC on 990001, $0, at least 0",
        },
        "totalFeesUsd": "7.000000",
        "warnings": [
          {
            "code": "HIGH_FEES",
            "data": {
              "percent": "3.00",
              "usd": "90.000000",
            },
            "message": "All fees together are $90.000000: 3.00% of the input’s value.",
            "severity": "WARNING",
          },
        ],
      }
    `)
  })
})
