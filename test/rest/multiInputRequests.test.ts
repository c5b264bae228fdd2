import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MultiQuoteInput } from '#src/service/input/multiInput.ts'
import { cannedMultiInput, multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { fullQueries } from '#test/support/clients/fullQueries.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const path = '/execute/swap/multi-input'

let gateway: ServedGateway
let rest: RestClient
const requests: [request: MultiQuoteInput, apiKey: string | undefined][] = []
beforeAll(async () => {
  gateway = await serveGateway({
    multiInputQuote: async (request, _, { apiKey }) => {
      requests.push([request, apiKey])
      return cannedMultiInput
    },
  })
  rest = await createRestClient(gateway.url)
})
beforeEach(() => {
  requests.length = 0
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

it('a multi-input quote accepts the same input by REST and by GraphQL, and any caller’s API key', async () => {
  const user = '0x52908400098527886E0F7030069857D2E4169EE7'
  const input = {
    ...multiInputExample,
    origins: [
      { ...multiInputExample.origins[0], user },
      { ...multiInputExample.origins[1], user: null },
    ],
    tradeType: 'EXACT_OUTPUT',
    amount: '3000000000',
    recipient: null,
    refundTo: user,
    txs: [{ to: user, value: '0', data: '0xAb' }],
    txsGasLimit: 90_000,
    partial: true,
    referrer: null,
    originGasOverhead: 5,
    slippageTolerance: '50',
  } as const
  const headers = { 'x-api-key': 'key of a client' }
  await rest.post(path, input, headers)
  await gateway.query(fullQueries.multiInputQuote, { input }, headers)
  const [byRest, byGraphql] = requests
  expect(byGraphql).toEqual(byRest)
  expect(byRest).toMatchInlineSnapshot(`
    [
      {
        "amount": 3000000000n,
        "destinationChainId": 990002,
        "destinationCurrency": "0xb1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
        "originGasOverhead": 5n,
        "origins": [
          {
            "amount": 500000000n,
            "chainId": 990001,
            "currency": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "user": "0x52908400098527886e0f7030069857d2e4169ee7",
          },
          {
            "amount": 1000000000000000000n,
            "chainId": 990002,
            "currency": "0x0000000000000000000000000000000000000000",
            "user": null,
          },
        ],
        "partial": true,
        "recipient": null,
        "referrer": null,
        "refundTo": "0x52908400098527886e0f7030069857d2e4169ee7",
        "slippageTolerance": 50n,
        "tradeType": "EXACT_OUTPUT",
        "txs": [
          {
            "data": "0xab",
            "to": "0x52908400098527886e0f7030069857d2e4169ee7",
            "value": 0n,
          },
        ],
        "txsGasLimit": 90000n,
        "user": "0x1111111111111111111111111111111111111111",
      },
      "key of a client",
    ]
  `)
})

it('a multi-input quote has the complexity of one quote per origin', async () => {
  const fields = 'details { rate }'
  const refusalOf = async (count: number) => {
    const asked = Array.from(
      { length: count },
      (_, at) => `q${at}: multiInputQuote(input: $input) { ${fields} }`,
    )
    const query = `query M($input: MultiInputQuoteInput!) { ${asked.join(' ')} }`
    return (await gateway.query(query, { input: multiInputExample })).errors?.[0]?.message
  }
  expect(await refusalOf(26)).toBeUndefined()
  expect(await refusalOf(27)).toMatchInlineSnapshot(
    `"The operation’s cost of 43254 exceeds the limit of 42000"`,
  )
})
