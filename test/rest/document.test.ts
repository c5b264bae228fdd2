import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { multiInput } from '#src/service/input/multiInput.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import {
  createOpenApiValidator,
  type OpenApiDocument,
} from '#test/support/clients/openApiValidator.ts'
import { answerOf, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { runs } from '#test/support/runs.ts'

let gateway: ServedGateway
let document: OpenApiDocument
let validator: ReturnType<typeof createOpenApiValidator>
beforeAll(async () => {
  gateway = await serveGateway({
    requestStatus: async () => answerOf(stateAt(4)),
    requests: async () => ({ requests: [answerOf(stateAt(4))], next: undefined }),
    indexTransaction: async () => {},
  })
  document = await (await fetch(`${gateway.url}/openapi.json`)).json()
  validator = createOpenApiValidator(document)
})
afterAll(() => gateway.close())

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object within a JSON value, with its JSON pointer. */
const nodesOf = (value: unknown, at = ''): [string, Node][] =>
  isNode(value)
    ? [
        [at, value],
        ...Object.entries(value).flatMap(([key, member]) => nodesOf(member, `${at}/${key}`)),
      ]
    : []

const operations = () =>
  Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  )

describe('/openapi.json', () => {
  it('groups every path by a tag that it describes', () => {
    const used = operations().flatMap(({ operation }) => operation.tags)
    expect(used).toHaveLength(operations().length)
    expect([...new Set(used)].toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted())
  })

  it('lists every path with its operation id and its status codes', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(
      operations().map(
        ({ path, method, operation }) =>
          `${method} ${path}: ${operation.operationId} ${Object.keys(operation.responses)}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "post /price: price 200,400,413,415,429,500,503",
        "post /quote/v2: quote 200,400,401,403,413,415,429,500,503",
        "post /execute/swap/multi-input: multiInputQuote 200,400,401,403,413,415,429,500,503",
        "post /execute/permits: executePermit 200,400,404,413,415,429,500,503",
        "post /execute/permits/v2: executePermitV2 200,400,404,413,415,429,500,503",
        "post /execute: execute 200,400,401,403,404,413,415,429,500,503",
        "get /intents/status/v3: requestStatus 200,400,404,429,500,503",
        "get /intents/status/v2: requestStatusV2 200,400,404,429,500,503",
        "get /intents/status: requestStatusV1 200,400,404,429,500,503",
        "get /requests/v2: requests 200,400,429,500,503",
        "get /requests/v3: requestsV3 200,400,401,403,429,500,503",
        "post /transactions/index: indexTransaction 200,400,413,415,429,500,503",
        "post /transactions/single: indexSingleTransaction 200,400,413,415,429,500,503",
        "post /transactions/deposit-address/reindex: indexDepositAddress 200,400,413,415,429,500,503",
        "get /chains: chains 200,400,429,500,503",
        "get /chains/liquidity: liquidity 200,400,429,500,503",
        "get /chains/health: chainHealth 200,400,429,500,503",
        "get /config/v2: bridgeConfig 200,400,429,500,503",
        "post /currencies/v2: currencies 200,400,413,415,429,500,503",
        "get /currencies/trending: trendingCurrencies 200,400,429,500,503",
        "get /currencies/token/price: tokenPrice 200,400,429,500,503",
        "get /currencies/token/price/v2: exactTokenPrice 200,400,429,500,503",
        "get /swap-sources: swapSources 200,400,429,500,503",
        "get /operator/books: solverBooks 200,400,401,403,429,500,503",
      ]
    `)
  })

  it('has no dangling references', () => {
    const references = nodesOf(document).flatMap(([, node]) =>
      typeof node['$ref'] === 'string' ? [node['$ref']] : [],
    )
    expect(references.length).toBeGreaterThan(50)
    const resolve = (reference: string) =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), document)
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([])
  })

  it('describes every field, parameter and schema in complete sentences', () => {
    const { paths, components } = document
    const shapes = { paths, schemas: components.schemas }
    const places = nodesOf(shapes).flatMap(([at, { description }]) =>
      /\/(properties|schemas|parameters)\/[^/]+$/.test(at) ? [[at, description]] : [],
    )
    expect(places.length).toBeGreaterThan(180)
    expect(
      places.filter(([, text]) => typeof text !== 'string' || !/^[^a-z].*[.:]$/s.test(text)),
    ).toEqual([])
  })

  it('never mentions null in responses: REST omits what GraphQL returns as null', () => {
    const texts = nodesOf(document.components.schemas).map(
      ([, { description = '' }]) => description,
    )
    expect(texts.filter((text) => /\bnull\b/.test(String(text)))).toEqual([])
  })

  it('shows examples that succeed', async () => {
    const asked: string[] = []
    for (const { path, method, operation } of operations()) {
      const example = operation.requestBody?.content['application/json']?.example
      const parameters = (operation.parameters ?? []).filter((each) => each.example !== undefined)
      const query = new URLSearchParams(parameters.map((each) => [each.name, String(each.example)]))
      const response = await fetch(`${gateway.url}${path}?${query}`, {
        method: method.toUpperCase(),
        ...(example !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(example),
        }),
      })
      if (example !== undefined) expect(validator.requestFaults(path, example)).toEqual([])
      asked.push(`${path} ${response.status}`)
    }
    expect(asked).toEqual(Object.keys(document.paths).map((path) => `${path} 200`))
  })
})

/** Replacement values, some of the right type and some of a wrong one. */
const junk = fc.oneof(
  fc.constantFrom(null, true, false, '', '0', '50', '10000', '99999', '0x', '0xab', 'EXACT_OUTPUT'),
  fc.constantFrom('uniswap-v2', ['uniswap-v2'], [], {}, [{}], 0, 1, 5, 990001, -1, 1.5, 1e21),
  fc.constantFrom(
    `0x${'AB'.repeat(20)}`,
    `${2n ** 256n - 1n}`,
    `0x${'11'.repeat(20)}`,
    `0X${'11'.repeat(20)}`,
  ),
  fc
    .record({
      recipient: fc.constant(`0x${'11'.repeat(20)}`),
      fee: fc.constantFrom('1', '9999', 1),
    })
    .map((fee) => [fee]),
  fc.array(
    fc.record({
      to: fc.constant(`0x${'22'.repeat(20)}`),
      value: fc.constantFrom('0', 0),
      data: fc.constantFrom('0x', '0x1'),
    }),
  ),
  fc
    .record({
      chainId: fc.constantFrom(1, 990001, '1'),
      currency: fc.constant(`0x${'AB'.repeat(20)}`),
      amount: fc.constantFrom('1', '0', 1),
      user: fc.constantFrom(null, `0x${'11'.repeat(20)}`, ''),
    })
    .map((origin) => [origin]),
  fc.jsonValue({ maxDepth: 2 }),
)

describe.each([
  ['/price', priceInput, 'PriceRequest', crossChainInput],
  ['/quote/v2', quoteInput, 'QuoteRequest', crossChainInput],
  ['/execute/swap/multi-input', multiInput, 'MultiInputQuoteRequest', multiInputExample],
] as const)('the OpenAPI document of %s', (path, schema, component, sound) => {
  it('accepts every request that the zod schema accepts, and has the same fields', () => {
    const fields = Object.keys(schema.shape)
    let taken = 0
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...fields, 'more'), junk, { maxKeys: 3 }),
        (changed) => {
          const request = { ...sound, ...changed }
          if (!schema.safeParse(request).success) return
          taken += 1
          expect(validator.requestFaults(path, request)).toEqual([])
        },
      ),
      { numRuns: runs(3_000) },
    )
    expect(taken).toBeGreaterThan(300)
    const { properties } = document.components.schemas[component] as { properties: object }
    expect(Object.keys(properties)).toEqual(fields)
  })

  it.each([
    [{ user: '0x12' }],
    [{ amount: 5 }],
    [{ amount: '1.5' }],
    [{ originChainId: '1' }],
    [{ tradeType: 'EXACT' }],
    [{ txs: [{ to: `0x${'22'.repeat(20)}`, value: '0' }] }],
    [{ txs: [{ to: 'x', value: '0', data: '0x' }] }],
    [{ appFees: [{ recipient: `0x${'22'.repeat(20)}`, fee: 5 }] }],
    [{ useReceiver: 'yes' }],
    [{ more: 1 }],
    [{ tradeType: undefined }],
  ])('rejects what the zod schema rejects: %j', (changed) => {
    const request = JSON.parse(JSON.stringify({ ...sound, ...changed }))
    expect(schema.safeParse(request).success).toBe(false)
    expect(validator.requestFaults(path, request)).not.toEqual([])
  })
})
