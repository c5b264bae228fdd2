import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { PermitInput } from '#src/service/input/permitInput.ts'
import { cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const requestId = `0x${'cd'.repeat(32)}` as const
const signature = `0x${'ab'.repeat(65)}` as const

let gateway: ServedGateway
let validator: ReturnType<typeof createOpenApiValidator>
let deposits = true
const signed: PermitInput[] = []
beforeAll(async () => {
  gateway = await serveGateway({
    executePermit: async (input) => {
      signed.push(input)
      if (input.kind === 'permit2') throw new AppError('PERMIT_FAILED', 'The nonce is used')
      return { message: 'Accepted', ...(deposits && { steps: await cannedQuote.steps() }) }
    },
    usdPrice: () => undefined,
  })
  validator = createOpenApiValidator(await (await fetch(`${gateway.url}/openapi.json`)).json())
})
afterAll(() => gateway.close())

const answerOf = async (path: string, body?: object) => {
  const response = await fetch(`${gateway.url}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  })
  return [response.status, await response.json()]
}

describe('POST /execute/permits/v2', () => {
  const path = '/execute/permits/v2'

  it('answers one flat step for each transaction', async () => {
    deposits = true
    const sent = { kind: 'eip3009', requestId, api: 'swap' }
    expect(validator.requestFaults(path, sent)).toEqual([])
    const [status, body] = await answerOf(`${path}?signature=${signature}`, sent)
    expect([status, validator.answerFaults(path, 'POST', body)]).toEqual([200, []])
    expect(signed.at(-1)).toEqual({ kind: 'eip3009', requestId, signature })
    expect(body).toMatchInlineSnapshot(`
      {
        "message": "Accepted",
        "steps": [
          {
            "action": "Confirm transaction in your wallet",
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
            "description": "Sign an approval for USDC",
            "id": "approve",
            "kind": "transaction",
            "status": "incomplete",
          },
          {
            "action": "Confirm transaction in your wallet",
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
            "description": "Depositing funds to the relayer to execute the swap for USDC",
            "id": "deposit",
            "kind": "transaction",
            "status": "incomplete",
          },
        ],
      }
    `)
  })

  it('has no steps if the solver sends the transaction', async () => {
    deposits = false
    const sent = { kind: 'eip2612', requestId }
    expect(await answerOf(`${path}?signature=${signature}`, sent)).toEqual([
      200,
      { message: 'Accepted' },
    ])
  })

  it('names the code of every error', async () => {
    expect(
      await answerOf(`${path}?signature=${signature}`, { kind: 'permit2', requestId }),
    ).toEqual([400, { message: 'The nonce is used', errorCode: 'PERMIT_FAILED', statusCode: 400 }])
    expect(await answerOf(path, { kind: 'permit2', requestId })).toMatchObject([
      400,
      { errorCode: 'INVALID_REQUEST', message: 'signature: Required' },
    ])
  })
})

describe('GET /currencies/token/price/v2', () => {
  it('has the message of an error as `error`', async () => {
    const query = `chainId=990001&address=0x${'99'.repeat(20)}`
    const message = `address: 0x${'99'.repeat(20)} on chain 990001 has no price feed and no pool with enough liquidity.`
    expect(await answerOf(`/currencies/token/price/v2?${query}`)).toMatchObject([
      400,
      { error: message, message, errorCode: 'UNSUPPORTED_CURRENCY' },
    ])
    expect(await answerOf('/currencies/token/price/v2?chainId=990001')).toMatchObject([
      400,
      { error: 'address: Required' },
    ])
    const [, older] = await answerOf(`/currencies/token/price?${query}`)
    expect(older).not.toHaveProperty('error')
  })
})

describe('POST /quote/v3', () => {
  it('names the endpoint that answers the same request', async () => {
    expect(await answerOf('/quote/v3', { user: signature })).toEqual([
      404,
      {
        message:
          'POST /quote/v3 is not served: the shape of its answer is not public yet. Send the same body to POST /quote/v2.',
        errorCode: 'UNSUPPORTED_ENDPOINT',
        statusCode: 404,
        errorData: { successor: '/quote/v2' },
      },
    ])
    const document = await (await fetch(`${gateway.url}/openapi.json`)).json()
    expect(Object.keys(document.paths)).not.toContain('/quote/v3')
  })
})
