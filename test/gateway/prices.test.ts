import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { UnsupportedChainError } from '#src/service/input/fieldError.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  const priceOf = ({ referrer, originChainId }: { referrer?: unknown; originChainId: number }) => {
    if (referrer === 'refuse') return new AppError('NO_SWAP_ROUTES_FOUND', 'No pools')
    if (originChainId === 5)
      return new UnsupportedChainError(['originChainId'], 5, [{ id: 990001 }])
    return cannedPrice
  }
  gateway = await serveGateway({
    prices: async (requests) => requests.map(priceOf),
    price: async (request) => {
      const found = priceOf(request)
      if (found instanceof AppError) throw found
      return found
    },
  })
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

const several = `query P($inputs: [PriceInput!]!) { prices(inputs: $inputs) {
  __typename
  ... on Price { details { rate } }
  ... on Failure { code message issues { path message code } }
} }`

/** The answers of Yoga and of the compiled executor. */
const answersTo = async (query: string, variables: object) => {
  const answers = []
  for (let sent = 0; sent < 4; sent += 1)
    answers.push(await gateway.query<Prices, object>(query, variables))
  return answers
}

type Prices = { prices: object[] }

const inputs = [
  crossChainInput,
  { ...crossChainInput, referrer: 'refuse' },
  { ...crossChainInput, originChainId: 5 },
  { ...crossChainInput, user: '0x1', amount: '-1' },
  { ...crossChainInput, amount: '0' },
  ...Array.from({ length: 5 }, () => crossChainInput),
]

describe('prices', () => {
  it('are returned beside the failures of other inputs', async () => {
    const [first, ...others] = await answersTo(several, { inputs })
    for (const other of others) expect(other).toEqual(first)
    expect(first?.errors).toBeUndefined()
    const prices = first?.data?.prices ?? []
    expect(prices.slice(5)).toEqual(
      Array.from({ length: 5 }, () => ({ __typename: 'Price', details: { rate: '2990' } })),
    )
    expect(prices.slice(0, 5)).toMatchInlineSnapshot(`
      [
        {
          "__typename": "Price",
          "details": {
            "rate": "2990",
          },
        },
        {
          "__typename": "Failure",
          "code": "NO_SWAP_ROUTES_FOUND",
          "issues": [],
          "message": "No pools",
        },
        {
          "__typename": "Failure",
          "code": "UNSUPPORTED_CHAIN",
          "issues": [
            {
              "code": "UNSUPPORTED_CHAIN",
              "message": "chain 5 is not supported; supported chains: 990001",
              "path": [
                "originChainId",
              ],
            },
          ],
          "message": "originChainId: chain 5 is not supported; supported chains: 990001.",
        },
        {
          "__typename": "Failure",
          "code": "INVALID_REQUEST",
          "issues": [
            {
              "code": "INVALID_ADDRESS",
              "message": "An address is 0x and 40 hexadecimal digits",
              "path": [
                "user",
              ],
            },
            {
              "code": "INVALID_REQUEST",
              "message": "An amount is an integer in the smallest unit, 0 to 2^256 − 1",
              "path": [
                "amount",
              ],
            },
          ],
          "message": "user: An address is 0x and 40 hexadecimal digits; amount: An amount is an integer in the smallest unit, 0 to 2^256 − 1",
        },
        {
          "__typename": "Failure",
          "code": "INVALID_REQUEST",
          "issues": [
            {
              "code": "INVALID_REQUEST",
              "message": "The amount must be above 0",
              "path": [
                "amount",
              ],
            },
          ],
          "message": "amount: The amount must be above 0",
        },
      ]
    `)
  })

  it('are zero to fifty', async () => {
    const many = (length: number) => ({ inputs: Array.from({ length }, () => crossChainInput) })
    const [full] = await answersTo(several, many(50))
    expect(full?.data?.prices).toHaveLength(50)
    expect(await answersTo(several, many(0))).toContainEqual({ data: { prices: [] } })
    for (const { errors } of await answersTo(several, many(51)))
      expect(errors?.[0]?.extensions['code']).toBe('INVALID_REQUEST')
  })

  it('cost as much as single prices', async () => {
    const query = `query P($inputs: [PriceInput!]!) { ${Array.from({ length: 17 }, (_, at) => `p${at}: prices(inputs: $inputs) { ... on Price { details { rate } } }`).join(' ')} }`
    const many = Array.from({ length: 50 }, () => crossChainInput)
    for (const { errors } of await answersTo(query, { inputs: many }))
      expect(errors?.[0]?.extensions['code']).toBe('QUERY_TOO_COMPLEX')
    const [few] = await answersTo(query, { inputs: [crossChainInput] })
    expect(few?.errors).toBeUndefined()
  })
})

it('return nine of ten if one fails', async () => {
  const one = (at: number) =>
    `p${at}: price(input: $${at === 3 ? 'bad' : 'good'}) { details { rate } }`
  const query = `query T($good: PriceInput!, $bad: PriceInput!) { ${Array.from({ length: 10 }, (_, at) => one(at)).join(' ')} }`
  const bad = { ...crossChainInput, referrer: 'refuse' }
  const [first, ...others] = await answersTo(query, { good: crossChainInput, bad })
  for (const other of others) expect(other).toEqual(first)
  const prices = Object.entries(first?.data ?? {})
  expect(prices.filter(([, price]) => price !== null)).toHaveLength(9)
  expect(first?.errors).toMatchObject([
    { path: ['p3'], extensions: { code: 'NO_SWAP_ROUTES_FOUND' } },
  ])
})
