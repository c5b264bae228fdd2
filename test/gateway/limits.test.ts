import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { everyRequestField } from '#test/support/clients/fullQueries.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway()
  // The first requests of a process are slow because of its startup.
  for (let sent = 0; sent < 5; sent += 1) await gateway.query(`{ chains { id } } # ${sent}`)
})
afterAll(async () => {
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

const price = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
const priceWith = (changed: object) => ({
  query: price,
  variables: { input: { ...crossChainInput, ...changed } },
})
const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ')
const nested = (depth: number) =>
  `{ __schema { types { ${'fields { type { '.repeat(depth)} name ${'} } '.repeat(depth)} } } }`

const hostile: Record<string, [body: unknown, code: string]> = {
  'a 10,000-digit amount': [priceWith({ amount: '9'.repeat(10_000) }), 'INVALID_REQUEST'],
  'a 10,000-digit number': [
    `{"query":${JSON.stringify(price)},"variables":{"input":{"amount":${'9'.repeat(10_000)}}}}`,
    'INVALID_REQUEST',
  ],
  'a number beyond all': [priceWith({ originChainId: 1e308 }), 'INVALID_REQUEST'],
  'unicode for an address': [priceWith({ user: '🦄'.repeat(1_000) }), 'INVALID_ADDRESS'],
  'a lone surrogate': [priceWith({ referrer: '\ud800'.repeat(129) }), 'INVALID_REQUEST'],
  '100,000 calls': [
    priceWith({ txs: Array.from({ length: 100_000 }, () => 1) }),
    'REQUEST_TOO_LARGE',
  ],
  '1,000 calls': [priceWith({ txs: Array.from({ length: 1_000 }, () => 1) }), 'INVALID_REQUEST'],
  'lists in lists': [
    `{"query":${JSON.stringify(price)},"variables":{"input":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    'REQUEST_TOO_LARGE',
  ],
  'a prototype': [
    `{"query":${JSON.stringify(price)},"variables":{"input":{"__proto__":{"user":1},"constructor":1}}}`,
    'INVALID_REQUEST',
  ],
  'malformed JSON': ['{"query":', 'INVALID_REQUEST'],
  'JSON nested 50,000 deep': ['['.repeat(50_000), 'INVALID_REQUEST'],
  'no body': ['', 'INVALID_REQUEST'],
  'no object': ['7', 'INVALID_REQUEST'],
  'a batch': [[{ query: '{ chains { id } }' }], 'INVALID_REQUEST'],
  'no query': [{}, 'INVALID_REQUEST'],
  'a query that is no text': [{ query: 5 }, 'INVALID_REQUEST'],
  'variables that are no object': [{ query: price, variables: [1] }, 'INVALID_REQUEST'],
  'parameters that nobody knows': [{ query: price, more: 1 }, 'INVALID_REQUEST'],
  'a long document': [{ query: `{ chains { id } } #${'x'.repeat(40_000)}` }, 'QUERY_TOO_COMPLEX'],
  'many tokens': [{ query: `{ chains { ${times(3_000, () => 'id')} } }` }, 'INVALID_REQUEST'],
  'many aliases': [
    { query: `{ ${times(51, (at) => `c${at}: chains { id }`)} }` },
    'QUERY_TOO_COMPLEX',
  ],
  'many aliases in fragments': [
    {
      query: `{ ${times(4, (at) => `c${at}: chains { ...A }`)} } fragment A on Chain { ${times(20, (at) => `i${at}: id`)} }`,
    },
    'QUERY_TOO_COMPLEX',
  ],
  'fragments that double each other': [
    {
      query: `{ chains { ...F0 } } ${times(40, (at) => `fragment F${at} on Chain { ...F${at + 1} ... on Chain { ...F${at + 1} } }`)} fragment F40 on Chain { id }`,
    },
    'QUERY_TOO_COMPLEX',
  ],
  'fragments that double what is free': [
    {
      query: `{ chains { ...F0 } } ${times(40, (at) => `fragment F${at} on Chain { ...F${at + 1} ... on Chain { ...F${at + 1} } }`)} fragment F40 on Chain { __typename }`,
    },
    'QUERY_TOO_COMPLEX',
  ],
  'many fragments': [
    {
      query: `{ chains { ...F0 } } ${times(51, (at) => `fragment F${at} on Chain { id ...F${(at * 7 + 3) % 51} }`)}`,
    },
    'QUERY_TOO_COMPLEX',
  ],
  'a wide selection': [
    { query: `{ chain(chainId: 1) { ${times(300, () => 'head { number }')} } }` },
    'QUERY_TOO_COMPLEX',
  ],
  'a deep selection': [
    { query: `{ chains ${'{ head '.repeat(500)} { id } ${'}'.repeat(500)} }` },
    'QUERY_TOO_COMPLEX',
  ],
  'many directives': [
    { query: `{ chains { id ${times(51, () => '@skip(if: false)')} } }` },
    'QUERY_TOO_COMPLEX',
  ],
  'directives on many fields': [
    { query: `{ chains { ${times(51, () => 'id @skip(if: false)')} } }` },
    'QUERY_TOO_COMPLEX',
  ],
  'a costly list': [
    {
      query: `{ ${times(40, (at) => `c${at}: currencies(first: 100) { edges { node { id: address symbol name decimals chainId } } }`)} }`,
    },
    'QUERY_TOO_COMPLEX',
  ],
  'introspection nested deep': [{ query: nested(5) }, 'INVALID_REQUEST'],
  'introspection many times': [
    {
      query: `{ ${times(49, (at) => `s${at}: __schema { types { name } }`)} ${times(30, () => '__schema { types { name } }')} }`,
    },
    'QUERY_TOO_COMPLEX',
  ],
}

describe('limits', () => {
  it.each(Object.entries(hostile))('reject %s', async (_, [body, code]) => {
    const response = await gateway.post(body)
    const { errors } = (await response.json()) as { errors: { extensions: object }[] }
    expect(errors[0]?.extensions).toMatchObject({ code })
  })

  it.each([
    ['declared', { 'content-length': '300000' }],
    ['found', { 'transfer-encoding': 'chunked' }],
  ])('reject a body that is too large: %s', async (_, headers) => {
    const sent = createConnection(Number(new URL(gateway.url).port), '127.0.0.1')
    const head = { host: 'x', 'content-type': 'application/json', ...headers }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    sent.write(`POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n`)
    if ('transfer-encoding' in headers)
      sent.write(`${(300_000).toString(16)}\r\n${' '.repeat(300_000)}\r\n`)
    let text = ''
    for await (const chunk of sent) text += chunk
    expect(text).toMatch(/^HTTP\/1\.1 413 .*connection: close/is)
    expect(text).toContain('"code":"REQUEST_TOO_LARGE"')
  })

  it('accept realistic queries', async () => {
    const fields =
      'amount amountFormatted amountUsd minimumAmount currency { address symbol decimals }'
    const query = `query ($input: PriceInput!) { ${times(10, (at) => `p${at}: price(input: $input) { ...P }`)} }
      fragment P on Price { fees { gas { ...A } relayer { ...A } app { ...A } } details { currencyIn { ...A } currencyOut { ...A } } }
      fragment A on CurrencyAmount { ${fields} }`
    const { data, errors } = await gateway.query(query, { input: crossChainInput })
    expect(errors).toBeUndefined()
    expect(Object.keys(data ?? {})).toHaveLength(10)
  })

  it('charge a page by its length, given as a literal, a variable or a default', async () => {
    const refusalOf = async (pages: readonly string[], variables: object = {}) => {
      const document = `query ($n: Int = 1) { n: currencies(first: $n) { totalCount } ${pages.map((each, at) => `p${at}: ${everyRequestField(each)}`).join(' ')} }`
      return (await gateway.query(document, variables)).errors?.[0]?.message
    }
    expect(await refusalOf(['$n'])).toBeUndefined()
    expect(await refusalOf(['25', '25'])).toBeUndefined()
    expect(await refusalOf(['$n', '$n', '$n'])).toBeUndefined()
    expect(await refusalOf(['$n', '$n'], { n: 25 })).toBeUndefined()
    const refused = 'exceeds the limit of 42000'
    expect(await refusalOf(['100', '100'])).toContain(refused)
    expect(await refusalOf(['$n', '$n'], { n: 100 })).toContain(refused)
    expect(await refusalOf(['$n', '$n'], { n: 1e9 })).toContain(refused)
    // A null takes the default of the argument.
    expect(await refusalOf(['$n', '$n'], { n: null })).toBeUndefined()
  })

  it('charge the variables of each request, also if the document is already compiled', async () => {
    const query = `query ($n: Int!) { one: ${everyRequestField('$n')} two: requests(first: $n) { edges { node { id } } } }`
    const before = await gateway.compiledAnswers()
    const codes: unknown[] = []
    for (const n of [1, 2, 100, 1, 100]) {
      const { errors } = await gateway.query(query, { n })
      codes.push(errors?.[0]?.extensions['code'])
    }
    const refused = 'QUERY_TOO_COMPLEX'
    expect(codes).toEqual([undefined, undefined, refused, undefined, refused])
    expect(await gateway.compiledAnswers()).toBe(before + 1)
  })

  it('charge nothing for __typename', async () => {
    const names = times(50, () => '__typename')
    const pages = `requests(first: 100) { ${names} edges { ${names} node { ${names} steps { ${names} items { ${names} } } } } }`
    expect((await gateway.query(`{ ${pages} }`)).errors).toBeUndefined()
  })

  it('keep answering when no document repeats', async () => {
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, at) => gateway.query(`{ chains { id } } # unlike ${at}`)),
    )
    expect(answers.every(({ errors }) => errors === undefined)).toBe(true)
  })
})
