import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QuoteAnswer } from '#src/service/answers.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice, cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { shortAmounts } from '#test/support/orders/shortAmounts.ts'

let gateway: ServedGateway
let rest: RestClient
let answer: QuoteAnswer = cannedQuote
const apiKeys: (string | undefined)[] = []
beforeAll(async () => {
  gateway = await serveGateway({
    quote: async (_request, _loaders, { apiKey }) => {
      apiKeys.push(apiKey)
      return answer
    },
  })
  rest = await createRestClient(gateway.url)
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

type Body = Record<string, Record<string, unknown>>

describe('POST /quote/v2', () => {
  it('returns everything of a price, and also steps, more details and the order', async () => {
    const price = (await rest.post('/price', crossChainInput)) as Body
    const {
      fees,
      details = {},
      ...others
    } = (await rest.post('/quote/v2', crossChainInput)) as Body
    expect(fees).toEqual(price['fees'])
    expect(details).toMatchObject(price['details'] ?? {})
    const added = Object.entries(details).filter(([key]) => !(key in (price['details'] ?? {})))
    expect(shortAmounts(Object.fromEntries(added))).toMatchInlineSnapshot(`
      {
        "currencyGasTopup": "666666666666666 (0.000666666666666666) ETH on 990002, $1.999999, at least 666666666666666",
        "expandedPriceImpact": {
          "app": {
            "usd": "0.000000",
          },
          "execution": {
            "usd": "-0.420000",
          },
          "relay": {
            "usd": "-0.580000",
          },
          "service": {
            "usd": "-0.580000",
          },
          "sponsored": {
            "usd": "0.000000",
          },
          "swap": {
            "usd": "-9.000000",
          },
        },
        "isFixedRate": false,
        "refundCurrency": "2991000000 (2991.0) USDC on 990001, $2991.000000, at least 2991000000",
        "route": {
          "destination": {
            "includedSwapSources": [],
            "inputCurrency": "2990000000 (2990.0) USDC on 990002, $2990.000000, at least 2990000000",
            "outputCurrency": "2990000000 (2990.0) USDC on 990002, $2990.000000, at least 2990000000",
            "router": "relay",
          },
          "origin": {
            "includedSwapSources": [
              "uniswap-v2",
            ],
            "inputCurrency": "1000000000000000000 (1.0) ETH on 990001, $3000.000000, at least 1000000000000000000",
            "outputCurrency": "2991000000 (2991.0) USDC on 990001, $2991.000000, at least 2991000000",
            "router": "uniswap-v2",
          },
        },
      }
    `)
    expect(others).toMatchInlineSnapshot(`
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
        "deadline": 1700604800,
        "issues": {},
        "protocol": {
          "v2": {
            "orderData": {
              "fees": [],
              "inputs": [],
              "output": {
                "calls": [],
                "chainId": "chain-2",
                "deadline": 1,
                "extraData": "0x",
                "payments": [],
              },
              "salt": "0x0000000000000000000000000000000000000000000000000000000000000007",
              "solver": "0x5555555555555555555555555555555555555555",
              "solverChainId": "chain-1",
              "version": "v1",
            },
            "orderId": "0xefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef",
            "paymentDetails": {
              "amount": "2991000000",
              "chainId": "chain-1",
              "currency": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
              "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
            },
          },
        },
        "refreshAfter": 1700000024,
        "steps": [
          {
            "action": "Confirm transaction in your wallet",
            "description": "Sign an approval for USDC",
            "id": "approve",
            "items": [
              {
                "data": {
                  "chainId": 990001,
                  "data": "0x095ea7b3",
                  "from": "0x1111111111111111111111111111111111111111",
                  "gas": "60000",
                  "maxFeePerGas": "15",
                  "maxPriorityFeePerGas": "1",
                  "to": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                  "value": "0",
                },
                "status": "incomplete",
              },
            ],
            "kind": "transaction",
            "requestId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
          },
          {
            "action": "Confirm transaction in your wallet",
            "depositAddress": "",
            "description": "Depositing funds to the relayer to execute the swap for USDC",
            "id": "deposit",
            "items": [
              {
                "check": {
                  "endpoint": "/intents/status/v3?requestId=0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
                  "method": "GET",
                },
                "data": {
                  "chainId": 990001,
                  "data": "0x49290c1c",
                  "from": "0x1111111111111111111111111111111111111111",
                  "maxFeePerGas": "15",
                  "maxPriorityFeePerGas": "1",
                  "to": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
                  "value": "1000000000000000000",
                },
                "status": "incomplete",
              },
            ],
            "kind": "transaction",
            "requestId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
          },
        ],
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

  it('passes on the caller’s identity', async () => {
    apiKeys.length = 0
    await rest.post('/quote/v2', crossChainInput)
    await rest.post('/quote/v2', crossChainInput, { 'x-api-key': 'key of a sponsor' })
    expect(apiKeys).toEqual([undefined, 'key of a sponsor'])
  })

  it('omits values that are unknown or do not apply', async () => {
    const parts = ['swap', 'execution', 'service', 'app', 'sponsored'] as const
    answer = {
      ...cannedQuote,
      totalImpact: undefined,
      swapImpact: undefined,
      currencyIn: { ...cannedPrice.currencyIn, usd: undefined },
      currencyGasTopup: undefined,
      expandedPriceImpact: Object.fromEntries(
        parts.map((part) => [part, undefined]),
      ) as QuoteAnswer['expandedPriceImpact'],
      protocol: async () => undefined,
    }
    const body = (await rest.post('/quote/v2', crossChainInput)) as Body
    expect(Object.keys(body)).toEqual([
      'steps',
      'fees',
      'totalFeesUsd',
      'details',
      'deadline',
      'refreshAfter',
      'warnings',
      'issues',
      'blocks',
    ])
    for (const absent of ['totalImpact', 'swapImpact', 'currencyGasTopup', 'fixedRateFee'])
      expect(body['details']).not.toHaveProperty(absent)
    expect(body['details']?.['currencyIn']).not.toHaveProperty('amountUsd')
    expect(body['details']?.['expandedPriceImpact']).toEqual(
      Object.fromEntries([...parts, 'relay'].map((part) => [part, {}])),
    )
  })

  it('requests all values that need an RPC call at the same time', async () => {
    let release = () => {}
    const together = new Promise<void>((resolve) => {
      release = resolve
    })
    const asked: string[] = []
    const wait = async (what: string) => {
      asked.push(what)
      if (asked.length === 4) release()
      await together
    }
    const steps = await cannedQuote.steps()
    answer = {
      ...cannedQuote,
      userBalance: () => wait('balance').then(cannedQuote.userBalance),
      protocol: () => wait('protocol').then(cannedQuote.protocol),
      steps: async () =>
        steps.map((step) => ({
          ...step,
          items: step.items.map((item) => ({
            ...item,
            data: { ...item.data, gas: () => wait(`gas of ${step.id}`).then(item.data.gas) },
          })),
        })),
    }
    await rest.post('/quote/v2', crossChainInput)
    expect(asked.sort()).toEqual(['balance', 'gas of approve', 'gas of deposit', 'protocol'])
  })
})
