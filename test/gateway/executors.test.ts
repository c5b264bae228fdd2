import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { runs } from '#test/support/runs.ts'

/** Yoga and graphql-js execute the first requests of a document; the compiled executor takes over afterwards. */
const requestsPerDocument = 4

let gateway: ServedGateway
/** Number of prices that were requested. */
let priced = 0
beforeAll(async () => {
  gateway = await serveGateway({
    price: async ({ referrer }) => {
      priced += 1
      if (referrer === 'refuse')
        throw new AppError('NO_SWAP_ROUTES_FOUND', 'No pools', { leg: 'origin' })
      if (referrer === 'break') throw new TypeError('secret')
      if (referrer === 'lie') return { ...cannedPrice, timeEstimate: Number.NaN }
      return cannedPrice
    },
  })
})
afterAll(() => gateway.close())

const answersTo = async (body: unknown, headers: Record<string, string> = {}) => {
  const answers = []
  for (let sent = 0; sent < requestsPerDocument; sent += 1) {
    const response = await gateway.post(body, headers)
    const { date: _, ...rest } = Object.fromEntries(response.headers)
    answers.push({ status: response.status, headers: rest, body: await response.text() })
  }
  return answers
}

const price =
  'query P($input: PriceInput!) { price(input: $input) { details { rate timeEstimate } } }'
const several = `
  query First($input: PriceInput!) { price(input: $input) { details { rate } } }
  query Second($yes: Boolean!) { chains { id name @include(if: $yes) head @skip(if: $yes) { number } } }
`
const withReferrer = (referrer: string) => ({ input: { ...crossChainInput, referrer } })

const multi =
  'query M($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { depositDeadline steps { items { data { gas } check { method } } } balances { userBalance requiredToSolve } } }'

const requests: Record<string, unknown> = {
  'a price': { query: price, variables: { input: crossChainInput } },
  'two prices': {
    query:
      'query T($a: PriceInput!, $b: PriceInput!) { one: price(input: $a) { ...D } other: price(input: $b) { ...D } } fragment D on Price { __typename details { rate ... on PriceDetails { sender } } }',
    variables: { a: crossChainInput, b: crossChainInput },
  },
  'a multi-input quote': { query: multi, variables: { input: multiInputExample } },
  'bad origins': {
    query: multi,
    variables: {
      input: {
        ...multiInputExample,
        origins: [...multiInputExample.origins, ...multiInputExample.origins, 5, null],
      },
    },
  },
  'one origin for a list': {
    query: multi,
    variables: { input: { ...multiInputExample, origins: multiInputExample.origins[0] } },
  },
  'a refusal': { query: price, variables: withReferrer('refuse') },
  'a bug': { query: price, variables: withReferrer('break') },
  'a resolver with an invalid value': { query: price, variables: withReferrer('lie') },
  'one of two refused': {
    query:
      'query O($a: PriceInput!, $b: PriceInput!) { one: price(input: $a) { details { rate } } other: price(input: $b) { details { rate } } }',
    variables: { a: crossChainInput, b: withReferrer('refuse').input },
  },
  'both refused': {
    query:
      'query B($a: PriceInput!, $b: PriceInput!) { one: price(input: $a) { details { rate } } other: price(input: $b) { details { rate } } }',
    variables: { a: withReferrer('refuse').input, b: withReferrer('refuse').input },
  },
  'a nullable field refused': {
    query: '{ currency(chainId: -1, address: "0x") { symbol } chain(chainId: 990001) { name } }',
  },
  'two nullable fields refused': {
    query:
      '{ one: currency(chainId: -1, address: "0x") { symbol } other: currency(chainId: 1, address: "0x") { symbol } }',
  },
  'the first of several operations': {
    query: several,
    operationName: 'First',
    variables: { input: crossChainInput },
  },
  'the second of several operations': {
    query: several,
    operationName: 'Second',
    variables: { yes: true },
  },
  'no operation of that name': { query: several, operationName: 'Third' },
  'no name for several operations': { query: several },
  'an empty name': { query: '{ chains { id } }', operationName: '' },
  'no variables': { query: price },
  'null variables': { query: price, variables: null },
  'a variable that is null': { query: price, variables: { input: null } },
  'a list for an object': { query: price, variables: { input: [crossChainInput] } },
  'text for an object': { query: price, variables: { input: 'x' } },
  'bad contents': {
    query: price,
    variables: { input: { ...crossChainInput, user: '0x1', amount: '-1' } },
  },
  'bad types and bad contents': {
    query: price,
    variables: { input: { ...crossChainInput, user: '0x1', usePermit: 'yes', nonsense: 1 } },
  },
  'one object for a list': {
    query: price,
    variables: {
      input: { ...crossChainInput, appFees: { recipient: crossChainInput.user, fee: '1' } },
    },
  },
  'variables nobody asked for': { query: '{ chains { id } }', variables: { more: 1 } },
  'a default': {
    query:
      'query D($first: Int = 1) { currencies(first: $first) { edges { cursor node { symbol } } pageInfo { hasNextPage endCursor } } }',
  },
  introspection: { query: '{ __type(name: "Price") { name fields { name description } } }' },
  'unicode in text': {
    query: 'query U($term: String) { currencies(term: $term) { totalCount } }',
    variables: { term: '💶\u0000\ud800' },
  },
}

describe('the Yoga executor and the compiled executor', () => {
  it.each(Object.entries(requests))('give the same answer to %s', async (_, request) => {
    const [first, ...others] = await answersTo(request)
    for (const other of others) expect(other).toEqual(first)
    const [asked, ...later] = await answersTo(request, {
      accept: 'application/graphql-response+json',
    })
    for (const other of later) expect(other).toEqual(asked)
  })

  it.each([
    '*/*',
    'application/json',
    'application/json, multipart/mixed',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json',
    'application/graphql-response+json,application/json;q=0.9',
    'text/plain',
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
  ])('choose the same media type for Accept: %s', async (accept) => {
    const [first, ...others] = await answersTo(
      { query: `{ chains { id } } # ${accept}` },
      { accept },
    )
    for (const other of others) expect(other).toEqual(first)
  })

  it('run each field of a request once, even if other fields fail', async () => {
    const query = `query N($a: PriceInput!, $b: PriceInput!, $c: PriceInput!) {
      one: price(input: $a) { details { rate } }
      two: price(input: $b) { details { rate } }
      three: price(input: $c) { details { rate } }
    }`
    const variables = {
      a: crossChainInput,
      b: withReferrer('refuse').input,
      c: withReferrer('break').input,
    }
    priced = 0
    await answersTo({ query, variables })
    expect(priced).toBe(3 * requestsPerDocument)
  })

  it('give the same answer for arbitrary variables', async () => {
    const before = await gateway.compiledAnswers()
    const text = 'query Any($input: PriceInput!) { price(input: $input) { details { rate } } }'
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('EXACT_OUTPUT', '0', '50', crossChainInput.user, 990002, true),
    )
    const names = [...Object.keys(crossChainInput), 'usePermit', 'txs', 'appFees', 'referrer', 'x']
    // The comment makes the document unique, so Yoga executes it.
    let unseen = 0
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), wild), async (changed) => {
        const variables = { input: { ...crossChainInput, ...changed } }
        const compiled = await gateway.post({ query: text, variables })
        const fresh = await gateway.post({ query: `${text} # ${unseen++}`, variables })
        expect([compiled.status, await compiled.text()]).toEqual([fresh.status, await fresh.text()])
      }),
      { numRuns: runs(300, 100) },
    )
    expect((await gateway.compiledAnswers()) - before).toBeGreaterThan(0)
  })
})
