import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MultiInputAnswer } from '#src/service/answers.ts'
import { graphql } from '#test/generated/gql.ts'
import { cannedMultiInput, multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { fullQueries } from '#test/support/clients/fullQueries.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { shortAmounts } from '#test/support/orders/shortAmounts.ts'

const path = '/execute/swap/multi-input'

const indicative = graphql(`
  query IndicativeMultiInput($input: MultiInputQuoteInput!) {
    multiInputQuote(input: $input) {
      breakdown { value timeEstimate }
      balances { requiredToSolve }
      details { rate currencyOut { amount minimumAmount } }
      blocks { chainId number }
    }
  }
`)

/** Fields that need an RPC call or further computation, and are evaluated only if selected. */
const costly = ['userBalance', 'requestId', 'steps', 'depositDeadline'] as const

let gateway: ServedGateway
let rest: RestClient
let asked: string[] = []
beforeAll(async () => {
  const noted = costly.map((name) => {
    const note = () => {
      asked.push(name)
      return cannedMultiInput[name]()
    }
    return [name, note]
  })
  const answer = { ...cannedMultiInput, ...Object.fromEntries(noted) } as MultiInputAnswer
  gateway = await serveGateway({ multiInputQuote: async () => answer })
  rest = await createRestClient(gateway.url)
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

it('a multi-input quote by REST has all fields of the interface and the deposit deadline', async () => {
  expect(shortAmounts(await rest.post(path, multiInputExample))).toMatchInlineSnapshot(`
    {
      "balances": {
        "requiredToSolve": "3500000000",
        "userBalance": "7000000000",
      },
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
      "breakdown": [
        {
          "timeEstimate": 3,
          "value": "2991000000",
        },
        {
          "timeEstimate": 14,
          "value": "499000000",
        },
      ],
      "depositDeadline": 1700001800,
      "details": {
        "currencyIn": "3500000000 (3500.0) USDC on 990002, $3500.000000, at least 3500000000",
        "currencyOut": "3490000000 (3490.0) USDC on 990002, $3490.000000, at least 3472550000",
        "operation": "swap",
        "rate": "0.997142857142857143",
        "recipient": "0x2222222222222222222222222222222222222222",
        "sender": "0x1111111111111111111111111111111111111111",
        "slippageTolerance": {
          "destination": {
            "percent": "0.50",
            "value": "17450000",
          },
          "origin": {
            "percent": "0.00",
            "usd": "0.000000",
            "value": "0",
          },
        },
        "swapImpact": {
          "percent": "-0.26",
          "usd": "-9.000000",
        },
        "timeEstimate": 14,
        "totalImpact": {
          "percent": "-0.29",
          "usd": "-10.000000",
        },
        "userBalance": "7000000000",
      },
      "fees": {
        "app": "0 (0.0) USDC on 990002, $0, at least 0",
        "gas": "2000000000000000 (0.002) ETH on 990002, $6.000000, at least 2000000000000000",
        "relayer": "1000000 (1.0) USDC on 990002, $1.000000, at least 1000000",
        "relayerGas": "400000 (0.4) USDC on 990002, $0.400000, at least 400000",
        "relayerService": "600000 (0.6) USDC on 990002, $0.600000, at least 600000",
        "subsidized": "0 (0.0) USDC on 990002, $0, at least 0",
      },
      "issues": [
        {
          "origin": 0,
          "user": "0x1111111111111111111111111111111111111111",
        },
        {
          "origin": 1,
          "user": "0x3333333333333333333333333333333333333333",
        },
      ],
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
              "data": {
                "chainId": 990001,
                "data": "0xe8017952",
                "from": "0x1111111111111111111111111111111111111111",
                "maxFeePerGas": "15",
                "maxPriorityFeePerGas": "1",
                "to": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
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
                "chainId": 990002,
                "data": "0x49290c1c",
                "from": "0x3333333333333333333333333333333333333333",
                "gas": "50000",
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
      "warnings": [],
    }
  `)
  expect(asked.sort()).toEqual(['depositDeadline', 'steps', 'userBalance'])
})

it('a multi-input quote by GraphQL also has its request id and block numbers', async () => {
  const { data, errors } = await gateway.query<{ multiInputQuote: object }, object>(
    fullQueries.multiInputQuote,
    { input: multiInputExample },
  )
  expect(errors).toBeUndefined()
  const {
    steps: _,
    fees: __,
    details: ___,
    ...others
  } = shortAmounts(data?.multiInputQuote) as Record<string, unknown>
  expect(others).toMatchInlineSnapshot(`
    {
      "balances": {
        "requiredToSolve": "3500000000",
        "userBalance": "7000000000",
      },
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
      "breakdown": [
        {
          "timeEstimate": 3,
          "value": "2991000000",
        },
        {
          "timeEstimate": 14,
          "value": "499000000",
        },
      ],
      "calls": [
        {
          "calls": [
            {
              "data": "0x095ea7b3",
              "to": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
              "value": "0x0",
            },
            {
              "data": "0xe8017952",
              "to": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
              "value": "0x0",
            },
          ],
          "chainId": "0xf1b31",
          "from": "0x1111111111111111111111111111111111111111",
        },
        {
          "calls": [
            {
              "data": "0x49290c1c",
              "to": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
              "value": "0xde0b6b3a7640000",
            },
          ],
          "chainId": "0xf1b32",
          "from": "0x3333333333333333333333333333333333333333",
        },
      ],
      "depositDeadline": 1700001800,
      "id": "MultiInputQuote:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
      "issues": {
        "gas": {
          "reason": "EARLIER_TRANSACTION",
        },
        "origins": [
          {
            "allowance": null,
            "balance": null,
            "origin": 0,
            "user": "0x1111111111111111111111111111111111111111",
          },
          {
            "allowance": null,
            "balance": null,
            "origin": 1,
            "user": "0x3333333333333333333333333333333333333333",
          },
        ],
      },
      "requestId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
      "warnings": [],
    }
  `)
})

it('a multi-input quote evaluates nothing costly if only price fields are selected', async () => {
  const input = { ...multiInputExample, origins: [...multiInputExample.origins] }
  const { data } = await gateway.query(indicative, { input })
  expect(data?.multiInputQuote?.balances.requiredToSolve).toBe('3500000000')
  expect(asked).toEqual([])
})
