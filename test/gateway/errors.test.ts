import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { UnknownRequestError } from '#src/requests/requestStore.ts'
import { UnsupportedChainError } from '#src/service/input/fieldError.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import type { GraphqlBody } from '#test/support/clients/graphqlClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway(
    {
      price: ({ referrer }) => {
        switch (referrer) {
          case 'refuse':
            throw new AppError('AMOUNT_TOO_LOW', 'The fees exceed the amount', { least: '5' })
          case 'lie':
            return Promise.resolve({ ...cannedPrice, timeEstimate: Number.NaN })
          case 'hang':
            return new Promise(() => {})
          default:
            throw new TypeError(`password in ${referrer}`)
        }
      },
    },
    { deadlineSeconds: 0.2 },
  )
})
afterAll(() => gateway.close())

const price = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
const priceWith = (changed: object) =>
  gateway.query(price, { input: { ...crossChainInput, ...changed } })

/** Formats each issue of the first error as one line. */
const issuesOf = (errors: GraphqlBody<unknown>['errors']): string[] => {
  const issues = errors?.[0]?.extensions['issues'] as { path: unknown[]; message: string }[]
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('GraphQL errors', () => {
  it('carry the code, the HTTP status and the details of the AppError', async () => {
    expect(await priceWith({ referrer: 'refuse' })).toMatchInlineSnapshot(`
      {
        "data": {
          "price": null,
        },
        "errors": [
          {
            "extensions": {
              "code": "AMOUNT_TOO_LOW",
              "least": "5",
              "statusCode": 400,
            },
            "locations": [
              {
                "column": 31,
                "line": 1,
              },
            ],
            "message": "The fees exceed the amount",
            "path": [
              "price",
            ],
          },
        ],
      }
    `)
  })

  it('mask unexpected errors and log them once', async () => {
    expect(await priceWith({ referrer: 'break' })).toMatchInlineSnapshot(`
      {
        "data": {
          "price": null,
        },
        "errors": [
          {
            "extensions": {
              "code": "UNKNOWN_ERROR",
              "statusCode": 500,
            },
            "locations": [
              {
                "column": 31,
                "line": 1,
              },
            ],
            "message": "Internal error. The operator can find it in the log",
            "path": [
              "price",
            ],
          },
        ],
      }
    `)
    expect(gateway.logged).toHaveLength(1)
    expect(gateway.logged[0]).toMatchObject({
      err: { message: 'password in break' },
      path: ['price'],
    })
  })

  it('report a resolver value that does not fit its type as an internal error', async () => {
    const query =
      'query ($input: PriceInput!) { price(input: $input) { details { timeEstimate } } }'
    const input = { ...crossChainInput, referrer: 'lie' }
    const { errors } = await gateway.query(query, { input })
    expect(errors).toMatchObject([{ extensions: { code: 'UNKNOWN_ERROR' } }])
    expect(JSON.stringify(errors)).not.toContain('NaN')
  })

  it('report an operation that exceeds its deadline', async () => {
    const response = await gateway.post({
      query: price,
      variables: { input: { ...crossChainInput, referrer: 'hang' } },
    })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchInlineSnapshot(`
      {
        "errors": [
          {
            "extensions": {
              "code": "REQUEST_TIMED_OUT",
              "statusCode": 503,
            },
            "message": "The request took longer than 0.2 seconds",
          },
        ],
      }
    `)
  })

  it('list every invalid input field in one response', async () => {
    const { errors } = await priceWith({
      user: '0x52908400098527886E0F7030069857D2E4169Ee7',
      recipient: 'vitalik.eth',
      originChainId: -1,
      amount: 1000,
      slippageTolerance: '10001',
      txs: [{ to: crossChainInput.user, value: '1.5', data: 'ff' }],
      appFees: [
        { recipient: crossChainInput.user, fee: '5000' },
        { recipient: '', fee: '5000' },
      ],
    })
    expect(errors).toHaveLength(1)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_REQUEST', statusCode: 400 })
    expect(issuesOf(errors)).toMatchInlineSnapshot(`
      [
        "user: The checksum (EIP-55) of this mixed-case address does not match",
        "originChainId: A chain id must be a positive integer",
        "amount: An amount must be a string of decimal digits: many programs round numbers above 2^53",
        "recipient: An address is 0x and 40 hexadecimal digits; on an svm chain it is 32 bytes in base58",
        "txs.0.value: An amount is an integer in the smallest unit, 0 to 2^256 − 1",
        "txs.0.data: Calldata must be 0x and an even number of hexadecimal digits",
        "slippageTolerance: Basis points must be an integer from "0" to "10000"; "50" is 0.5%",
        "appFees.1.recipient: An address is 0x and 40 hexadecimal digits; on an svm chain it is 32 bytes in base58",
      ]
    `)
  })

  it('list missing, unknown, wrongly typed and invalid fields together', async () => {
    const { errors } = await gateway.query(price, {
      input: { user: '0x', originChainId: '990001', usePermit: 1, tradeType: 'EXACT', extra: 1 },
    })
    expect(errors).toHaveLength(1)
    expect(issuesOf(errors)).toMatchInlineSnapshot(`
      [
        "user: An address is 0x and 40 hexadecimal digits",
        "originChainId: A chain id must be a positive integer",
        "destinationChainId: Required",
        "originCurrency: Required",
        "destinationCurrency: Required",
        "amount: Required",
        "tradeType: Must be EXACT_INPUT, EXACT_OUTPUT or EXPECTED_OUTPUT",
        "usePermit: Invalid input: expected boolean, received number",
        "extra: Unknown field",
      ]
    `)
  })

  it('use the protocol’s field-specific code if only that field is invalid', async () => {
    const codeWith = async (changed: object) =>
      (await priceWith(changed)).errors?.[0]?.extensions['code']
    expect([
      await codeWith({ user: '0x' }),
      await codeWith({ slippageTolerance: '-1' }),
      await codeWith({ amount: '0' }),
      await codeWith({ amount: '0', user: '0x' }),
    ]).toEqual([
      'INVALID_ADDRESS',
      'INVALID_SLIPPAGE_TOLERANCE',
      'INVALID_REQUEST',
      'INVALID_REQUEST',
    ])
  })

  it.each([
    ['invalid GraphQL', '{'],
    ['an unknown field', '{ prices { id } }'],
    ['a missing argument', '{ price { blocks { number } } }'],
    ['a literal of the wrong type', '{ currencies(first: "a", verified: 1) { totalCount } }'],
    ['a recursive fragment', '{ chains { ...A } } fragment A on Chain { ...A }'],
    ['a mutation', 'mutation { price }'],
  ])('carry INVALID_REQUEST for an invalid document: %s', async (_, query) => {
    const { errors = [] } = await gateway.query(query)
    expect(errors.length).toBeGreaterThan(0)
    for (const { extensions, locations } of errors)
      expect({ ...extensions, locations }).toMatchObject({
        code: 'INVALID_REQUEST',
        statusCode: 400,
        locations: [{}],
      })
  })

  it.each(['currencies', 'requests'])('reject an invalid cursor of %s', async (list) => {
    const { errors } = await gateway.query(`{ ${list}(after: "x") { totalCount } }`)
    expect(errors?.[0]?.message).toBe('after: Not a cursor of this list')
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ path: ['after'], message: 'Not a cursor of this list' }],
    })
  })

  it('name the argument that takes a wrong variable', async () => {
    const query = `query ($orders: [PriceInput!]!, $states: [RequestStatusName!]) {
      prices(inputs: $orders) { __typename }
      requests(status: $states) { totalCount }
    }`
    const orders = [{ ...crossChainInput, tradeType: 'HALF' }]
    const { errors } = await gateway.query(query, { orders, states: ['lost'] })
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ path: ['inputs', 0, 'tradeType'] }, { path: ['status', 0] }],
    })
  })

  it('name the argument whose variable is missing', async () => {
    const { errors } = await gateway.query(price, {})
    expect(issuesOf(errors)).toEqual(['input: A value of type PriceInput! is required'])
  })

  it('reveal nothing about missing objects: the answer is null', async () => {
    const query = `{
      chain(chainId: 7) { name }
      currency(chainId: 990001, address: "0x${'99'.repeat(20)}") { symbol }
      elsewhere: currency(chainId: 7, address: "0x${'99'.repeat(20)}") { symbol }
      requestStatus(requestId: "0x${'99'.repeat(32)}") { status }
      node(id: "Chain:7") { id }
    }`
    const strict = await serveGateway({
      currency: async (chainId) => {
        if (chainId === 7) throw new UnsupportedChainError(['chainId'], 7, [])
        return undefined
      },
      requestStatus: async (requestId) => {
        throw new UnknownRequestError(requestId)
      },
    })
    for (let sent = 0; sent < 4; sent += 1)
      expect(await strict.query(query)).toEqual({
        data: { chain: null, currency: null, elsewhere: null, requestStatus: null, node: null },
      })
    await strict.close()
  })
})
