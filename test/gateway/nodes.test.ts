import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedRequestOperations } from '#test/support/canned/cannedRequests.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

type Identified = { __typename: string; id: string }

const known = `0x${'cd'.repeat(32)}`
let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway({
    requestStatus: async (requestId, loaders) => {
      if (requestId !== known) throw new AppError('UNKNOWN_REQUEST', 'There is no such request')
      return cannedRequestOperations.requestStatus(requestId, loaders)
    },
    currency: async (chainId, at, loaders) => {
      if (chainId === 1) throw new AppError('UNSUPPORTED_CHAIN', 'There is no such chain')
      return loaders.currency(chainId as never, at)
    },
  })
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

const schema = createSchema()
const node = schema.getType('Node')
const identified = Object.values(schema.getTypeMap()).filter(isObjectType)

/** Every object of an answer that has an id. */
const identifiedIn = (value: unknown): Identified[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(identifiedIn)
  if (!('__typename' in value && 'id' in value)) return inner
  const { __typename, id } = value as Identified
  return [{ __typename, id }, ...inner]
}

const everything = `query ($quote: QuoteInput!, $multi: MultiInputQuoteInput!) {
  chains { __typename id head { __typename id } nativeCurrency { __typename id } }
  quote(input: $quote) { __typename id steps { __typename id items { __typename id } } }
  multiInputQuote(input: $multi) { __typename id steps { __typename id items { __typename id } } }
  requestStatus(requestId: "${known}") {
    __typename id
    steps { __typename id }
    inputs { __typename id }
    deposits { __typename id }
  }
}`
const variables = { quote: crossChainInput, multi: multiInputExample }

const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`

describe('nodes', () => {
  it('are the types with an id, and no others', () => {
    for (const type of identified) {
      const id = type.getFields()['id']
      const isNode = type.getInterfaces().some((each) => each === node)
      expect([type.name, id?.type.toString()]).toEqual([type.name, isNode ? 'ID!' : undefined])
    }
    expect(identified.filter((type) => type.getInterfaces().length > 0).length).toBe(11)
  })

  it('are found by their ids, which are unique', async () => {
    const { data } = await gateway.query(everything, variables)
    const found = identifiedIn(data)
    const ids = found.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(found.map(({ __typename }) => __typename)).size).toBe(11)
    for (let sent = 0; sent < 4; sent += 1) {
      const answer = await gateway.query<{ nodes: Identified[] }, object>(nodes, { ids })
      expect(answer).toEqual({ data: { nodes: found } })
    }
    const inCapitals = (id: string) =>
      id.replace(/0x([0-9a-f]+)/g, (_, digits: string) => `0x${digits.toUpperCase()}`)
    const other = ids.flatMap((id) => [`${id}:`, `${id}:0`, inCapitals(id)])
    const unknown = other.filter((id) => !ids.includes(id)).slice(0, 100)
    const answer = await gateway.query<{ nodes: unknown[] }, object>(nodes, { ids: unknown })
    expect(answer).toEqual({ data: { nodes: unknown.map(() => null) } })
  })

  it('keep the order of the ids, with null for unknown ids', async () => {
    const unknown = [
      '',
      'Chain',
      'Chain:',
      'Chain:1',
      'Chain:x',
      'Price:1',
      'constructor:1',
      'Currency:990001',
      'Currency:1:0x0000000000000000000000000000000000000000',
      `RequestStatus:0x${'00'.repeat(32)}`,
      'RequestStatus:0x12',
      `StepProgress:${known}:7`,
      `StepProgress:${known}`,
      `InputProgress:${known}:-1`,
      `Deposit:${known}:none`,
      // The id of the request does not reveal the steps.
      `Quote:${known}`,
      `Step:${known}:0`,
      `MultiInputQuote:0x${'ef'.repeat(32)}`,
      `Step:0x${'ef'.repeat(32)}:9`,
      `StepItem:0x${'ef'.repeat(32)}:0:1`,
    ]
    const ids = ['Chain:990002', ...unknown, 'Chain:990001']
    for (let sent = 0; sent < 4; sent += 1) {
      const { data, errors } = await gateway.query<{ nodes: unknown[] }, object>(nodes, { ids })
      expect(errors).toBeUndefined()
      expect(data?.nodes).toEqual([
        { __typename: 'Chain', id: 'Chain:990002' },
        ...unknown.map(() => null),
        { __typename: 'Chain', id: 'Chain:990001' },
      ])
    }
  })

  it('are returned with the fields of their type', async () => {
    const query = `query ($id: ID!) { node(id: $id) {
      __typename
      ... on Currency { symbol }
      ... on RequestStatus { status }
      ... on Step { name items { data { to } } }
      ... on Quote { requestId steps { id } protocol { v2 { orderId } } }
    } }`
    const nodeOf = async (id: string) => {
      const { data } = await gateway.query<{ node: object }, object>(query, { id })
      return data?.node
    }
    expect(
      await Promise.all([
        nodeOf('Currency:990001:0x0000000000000000000000000000000000000000'),
        nodeOf(`RequestStatus:${known}`),
        nodeOf(`Step:0x${'ef'.repeat(32)}:1`),
        nodeOf(`Quote:0x${'ef'.repeat(32)}`),
      ]),
    ).toMatchInlineSnapshot(`
      [
        {
          "__typename": "Currency",
          "symbol": "ETH",
        },
        {
          "__typename": "RequestStatus",
          "status": "success",
        },
        {
          "__typename": "Step",
          "items": [
            {
              "data": {
                "to": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
              },
            },
          ],
          "name": "DEPOSIT",
        },
        {
          "__typename": "Quote",
          "protocol": {
            "v2": {
              "orderId": "0xefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef",
            },
          },
          "requestId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
          "steps": [
            {
              "id": "Step:0xefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef:0",
            },
            {
              "id": "Step:0xefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef:1",
            },
          ],
        },
      ]
    `)
  })

  it('have no fields of a quote’s price, and report NOT_FOUND for them', async () => {
    const id = `Quote:0x${'ef'.repeat(32)}`
    for (const fields of ['fees { gas { amount } }', 'blocks { number }', 'details { rate }']) {
      const query = `query ($id: ID!) { node(id: $id) { ... on Quote { ${fields} } } }`
      for (let sent = 0; sent < 4; sent += 1) {
        const { data, errors } = await gateway.query(query, { id })
        expect([data, errors?.[0]?.extensions['code']]).toEqual([{ node: null }, 'NOT_FOUND'])
      }
    }
  })

  it('are found only by their exact ids, and by no other spelling of a number', async () => {
    const step = `Step:0x${'ef'.repeat(32)}`
    const others = [' 990001', '9.90001e5', '0xf1b31', '0990001'].flatMap((chainId) => [
      `Chain:${chainId}`,
      `ChainHead:${chainId}`,
      `Currency:${chainId}:0x${'00'.repeat(20)}`,
    ])
    const ids = [...others, `${step}:`, `${step}:01`, `${step}:1e0`, step]
    const { data } = await gateway.query(nodes, { ids })
    expect(data).toEqual({ nodes: ids.map(() => null) })
  })

  it('are charged by their number', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'Chain:990001')
    expect((await gateway.query(nodes, { ids: many(100) })).errors).toBeUndefined()
    const tooMany = await gateway.query(nodes, { ids: many(101) })
    expect(tooMany.errors?.[0]?.extensions['code']).toBe('INVALID_REQUEST')
    const costly = `query ($ids: [ID!]!) { ${Array.from({ length: 40 }, (_, at) => `n${at}: nodes(ids: $ids) { id }`).join(' ')} }`
    const refused = await gateway.query(costly, { ids: many(100) })
    expect(refused.errors?.[0]?.extensions['code']).toBe('QUERY_TOO_COMPLEX')
  })
})
