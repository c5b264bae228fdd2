import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError, type ErrorCode, statusByCode } from '#src/core/errors.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice, cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import { createOpenApiValidator } from '#test/support/clients/openApiValidator.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const failedCallData = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}`, data: '0x' }

let gateway: ServedGateway
let validator: ReturnType<typeof createOpenApiValidator>
beforeAll(async () => {
  gateway = await serveGateway(
    {
      price: async ({ referrer }) => {
        if (referrer === 'hang') return new Promise(() => {})
        if (referrer === 'break') throw new TypeError('password in the message')
        if (referrer != null) throw new AppError(referrer as ErrorCode, 'Refused', { least: '5' })
        return cannedPrice
      },
      quote: async () => ({
        ...cannedQuote,
        steps: async () => {
          const requestId = `0x${'cd'.repeat(32)}`
          throw new AppError('DESTINATION_TX_FAILED', 'It reverts', { requestId, failedCallData })
        },
      }),
      usdPrice: () => undefined,
    },
    { deadlineSeconds: 0.2 },
  )
  validator = createOpenApiValidator(await (await fetch(`${gateway.url}/openapi.json`)).json())
})
afterAll(() => gateway.close())

type Refusal = Readonly<{
  message: string
  errorCode: ErrorCode
  statusCode: number
  errorData?: { issues?: { path: (string | number)[]; message: string }[] }
}>

/** Sends a request and returns its error, which must match the OpenAPI document and its own status code. */
async function refused(path: string, init?: RequestInit): Promise<Refusal> {
  const response = await fetch(`${gateway.url}${path}`, init)
  const body = (await response.json()) as Refusal
  expect(body).toMatchObject({ statusCode: response.status })
  expect(statusByCode[body.errorCode]).toBe(response.status)
  expect(validator.errorFaults(response.status, body)).toEqual([])
  return body
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  refused(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Formats each issue as one line. */
const issuesOf = ({ errorData }: Refusal) =>
  errorData?.issues?.map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('REST errors', () => {
  it.each(Object.keys(statusByCode) as ErrorCode[])(
    'return %s with its HTTP status',
    async (code) => {
      expect(await post('/price', { ...crossChainInput, referrer: code })).toEqual({
        message: 'Refused',
        errorCode: code,
        statusCode: statusByCode[code],
        errorData: { least: '5' },
      })
    },
  )

  it('name the failed call and its request id', async () => {
    expect(await post('/quote/v2', crossChainInput)).toMatchInlineSnapshot(`
      {
        "errorCode": "DESTINATION_TX_FAILED",
        "failedCallData": {
          "data": "0x",
          "from": "0x1111111111111111111111111111111111111111",
          "to": "0x2222222222222222222222222222222222222222",
        },
        "message": "It reverts",
        "requestId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
        "statusCode": 400,
      }
    `)
  })

  it('mask unexpected errors and log them once', async () => {
    gateway.logged.length = 0
    const body = await post('/price', { ...crossChainInput, referrer: 'break' })
    expect(body).toMatchInlineSnapshot(`
      {
        "errorCode": "UNKNOWN_ERROR",
        "message": "Internal error. The operator can find it in the log",
        "statusCode": 500,
      }
    `)
    expect(gateway.logged).toHaveLength(1)
    expect(gateway.logged[0]).toMatchObject({ err: { message: 'password in the message' } })
  })

  it('report a request that exceeds its deadline', async () => {
    const body = await post('/price', { ...crossChainInput, referrer: 'hang' })
    expect(body).toMatchInlineSnapshot(`
      {
        "errorCode": "REQUEST_TIMED_OUT",
        "message": "The request took longer than 0.2 seconds",
        "statusCode": 503,
      }
    `)
  })

  it('list every invalid field in one response', async () => {
    const body = await post('/quote/v2', {
      ...crossChainInput,
      user: '0x12',
      originChainId: '990001',
      amount: 5,
      tradeType: 'EXACT',
      txs: [{ to: 'x', value: '-1', data: '0xf' }],
      useReceiver: 'yes',
      appFees: [{ recipient: `0x${'11'.repeat(20)}`, fee: '10000' }],
      maxRouteLength: 7,
      unknownField: 1,
    })
    expect(body).toMatchObject({ errorCode: 'INVALID_REQUEST', statusCode: 400 })
    expect(issuesOf(body)).toMatchInlineSnapshot(`
      [
        "user: An address is 0x and 40 hexadecimal digits",
        "originChainId: A chain id must be a positive integer",
        "amount: An amount must be a string of decimal digits: many programs round numbers above 2^53",
        "tradeType: Must be EXACT_INPUT, EXACT_OUTPUT or EXPECTED_OUTPUT",
        "txs.0.to: An address is 0x and 40 hexadecimal digits",
        "txs.0.value: An amount is an integer in the smallest unit, 0 to 2^256 − 1",
        "txs.0.data: Calldata must be 0x and an even number of hexadecimal digits",
        "useReceiver: Invalid input: expected boolean, received string",
        "appFees.0.fee: Basis points must be an integer from "0" to "9999"",
        "maxRouteLength: At most six hops",
        "unknownField: Unknown field",
      ]
    `)
  })

  it('list every missing field', async () => {
    expect(issuesOf(await post('/price', {}))).toMatchInlineSnapshot(`
      [
        "originChainId: Required",
        "destinationChainId: Required",
        "originCurrency: Required",
        "destinationCurrency: Required",
        "amount: Required",
        "tradeType: Must be EXACT_INPUT, EXACT_OUTPUT or EXPECTED_OUTPUT",
      ]
    `)
  })

  it('use the field-specific code if only that field is invalid', async () => {
    const body = await post('/price', { ...crossChainInput, slippageTolerance: '10001' })
    expect(body.errorCode).toBe('INVALID_SLIPPAGE_TOLERANCE')
    expect((await post('/price', { ...crossChainInput, recipient: 'me' })).errorCode).toBe(
      'INVALID_ADDRESS',
    )
  })

  it('reject quote-only fields in a price request', async () => {
    const body = await post('/price', { ...crossChainInput, topupGas: true })
    expect(issuesOf(body)).toEqual(['topupGas: Unknown field'])
  })

  it.each([
    ['/swap-sources?chainId=one', ['chainId: A chain id must be a positive integer']],
    ['/swap-sources?chainId=0', ['chainId: A chain id must be a positive integer']],
    ['/swap-sources?chainId=1e3', ['chainId: A chain id must be a positive integer']],
    ['/swap-sources?chainId=99999999999999999', ['chainId: A chain id must be a positive integer']],
    ['/swap-sources?chainId=990001&chainId=990002', ['chainId: Give this parameter once']],
    ['/swap-sources?chain=990001', ['chain: Unknown field']],
    [
      '/swap-sources?__proto__=1&constructor=2',
      ['__proto__: Unknown field', 'constructor: Unknown field'],
    ],
    ['/chains?referrer=a&referrer=b', ['referrer: Give this parameter once']],
    [`/chains?referrer=${'x'.repeat(129)}`, ['referrer: At most 128 characters']],
    ['/currencies/token/price', ['address: Required', 'chainId: Required']],
    [
      '/currencies/token/price?address=0x1&chainId=-1',
      [
        'address: An address is 0x and 40 hexadecimal digits',
        'chainId: A chain id must be a positive integer',
      ],
    ],
  ])('list every invalid parameter of %s', async (path, issues) => {
    const body = await refused(path)
    expect([body.errorCode, issuesOf(body)]).toEqual(['INVALID_REQUEST', issues])
  })

  it('name at most 50 unknown fields', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `field${at}`)
    expect(issuesOf(await refused(`/chains?${names.join('&')}`))).toHaveLength(50)
  })

  it('distinguish unknown chains from unknown currencies', async () => {
    expect(await refused('/swap-sources?chainId=5')).toMatchObject({
      errorCode: 'UNSUPPORTED_CHAIN',
      message: 'chainId: chain 5 is not supported; supported chains: 990001, 990002.',
    })
    const query = `?chainId=990001&address=0x${'99'.repeat(20)}`
    expect(await refused(`/currencies/token/price${query}`)).toMatchInlineSnapshot(`
      {
        "errorCode": "UNSUPPORTED_CURRENCY",
        "errorData": {
          "chainId": 990001,
          "currency": "0x9999999999999999999999999999999999999999",
          "field": "address",
          "issues": [
            {
              "code": "UNSUPPORTED_CURRENCY",
              "message": "address: 0x9999999999999999999999999999999999999999 on chain 990001 has no price feed and no pool with enough liquidity.",
              "path": [
                "address",
              ],
            },
          ],
        },
        "message": "address: 0x9999999999999999999999999999999999999999 on chain 990001 has no price feed and no pool with enough liquidity.",
        "statusCode": 400,
      }
    `)
  })
})

describe('request bodies', () => {
  it.each<[string, unknown, ErrorCode]>([
    ['invalid JSON', '{"user":', 'INVALID_REQUEST'],
    ['no content', '', 'INVALID_REQUEST'],
    ['a list', [crossChainInput], 'INVALID_REQUEST'],
    ['null', 'null', 'INVALID_REQUEST'],
    ['a number', '7', 'INVALID_REQUEST'],
    ['prototype members', `{"__proto__":{"user":1},"constructor":1}`, 'INVALID_REQUEST'],
    ['1 MB', { ...crossChainInput, referrer: 'x'.repeat(1_000_000) }, 'REQUEST_TOO_LARGE'],
    ['100,000 calls', { ...crossChainInput, txs: Array(100_000).fill(1) }, 'REQUEST_TOO_LARGE'],
    ['1,000 calls', { ...crossChainInput, txs: Array(1_000).fill(1) }, 'INVALID_REQUEST'],
    ['nested lists', `{"txs":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'REQUEST_TOO_LARGE'],
    [
      'a 10,000-digit amount',
      { ...crossChainInput, amount: '9'.repeat(10_000) },
      'INVALID_REQUEST',
    ],
    ['an oversized chain id', { ...crossChainInput, originChainId: 1e308 }, 'INVALID_REQUEST'],
    ['emoji as an address', { ...crossChainInput, user: '🦄'.repeat(1_000) }, 'INVALID_ADDRESS'],
  ])('with %s are rejected', async (_, body, code) => {
    for (const path of ['/price', '/quote/v2', '/currencies/v2'])
      if (path !== '/currencies/v2' || code !== 'INVALID_ADDRESS')
        expect((await post(path, body)).errorCode).toBe(code)
  })

  it('report unknown fields that are named like prototype members', async () => {
    const text = JSON.stringify(crossChainInput).replace('{', '{"__proto__":{"amount":"1"},')
    expect(issuesOf(await post('/price', text))).toEqual(['__proto__: Unknown field'])
    expect(({} as Record<string, unknown>)['amount']).toBeUndefined()
  })

  it('of other media types are rejected, also if compressed', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
      expect((await post('/price', '{}', { 'content-type': type })).errorCode).toBe(
        'UNSUPPORTED_MEDIA_TYPE',
      )
    const gzip = await post('/price', '{}', { 'content-encoding': 'gzip' })
    expect(gzip.errorCode).toBe('UNSUPPORTED_MEDIA_TYPE')
  })

  it('that are cut short cause no server error', async () => {
    gateway.logged.length = 0
    const { port } = new URL(gateway.url)
    await new Promise<void>((resolve) => {
      const socket = createConnection(Number(port), '127.0.0.1', () => {
        const head = 'POST /price HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
        socket.write(`${head}content-length: 100\r\n\r\n{"user":`, () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
    expect(gateway.logged).toEqual([])
  })
})
