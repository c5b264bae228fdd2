import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readTrustedDocuments } from '#src/gateway/graphql/execution/trustedDocuments.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import type { GraphqlBody } from '#test/support/clients/graphqlClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } })

const query = 'query P($input: PriceInput!) { price(input: $input) { details { rate } } }'
const variables = { input: crossChainInput }
const answer = { data: { price: { details: { rate: '2990' } } } }

const bodyOf = async (response: Response) => (await response.json()) as GraphqlBody<unknown>

/** Codes of the errors, with the HTTP status for clients that take GraphQL's own media type. */
const codesOf = async (sending: Promise<Response>) => {
  const response = await sending
  const { errors = [] } = await bodyOf(response)
  return [response.status, ...errors.map(({ extensions }) => extensions['code'])]
}
const exact = { accept: 'application/graphql-response+json' }

/** Sends one operation over a WebSocket, and returns its first result or its errors. */
async function overSocket(url: string, payload: object): Promise<unknown> {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
  try {
    return await new Promise((resolve) => {
      client.subscribe({ query: '', ...payload } as never, {
        next: resolve,
        error: resolve,
        complete: () => {},
      })
    })
  } finally {
    await client.dispose()
  }
}

describe('automatic persisted queries', () => {
  let gateway: ServedGateway
  beforeAll(async () => {
    gateway = await serveGateway()
  })
  afterAll(() => gateway.close())

  const get = (parameters: Readonly<Record<string, string>>, headers = {}) =>
    fetch(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`, { headers })

  it('are unknown until they are sent once, and then execute by their hash over every transport', async () => {
    const extensions = persisted(hashOf(query))
    const unknown = await bodyOf(await gateway.post({ variables, extensions }))
    expect(unknown.errors).toMatchObject([
      {
        message: 'PersistedQueryNotFound',
        extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', statusCode: 404 },
      },
    ])
    expect(await bodyOf(await gateway.post({ query, variables, extensions }))).toEqual(answer)
    const before = await gateway.compiledAnswers()
    // Yoga answers the first ones, the compiled executor the others.
    for (let sent = 0; sent < 4; sent += 1)
      expect(await bodyOf(await gateway.post({ variables, extensions }))).toEqual(answer)
    expect(await gateway.compiledAnswers()).toBeGreaterThan(before)
    const inUrl = { variables: JSON.stringify(variables), extensions: JSON.stringify(extensions) }
    const compiled = await gateway.compiledAnswers()
    expect(await bodyOf(await get(inUrl))).toEqual(answer)
    expect(await gateway.compiledAnswers()).toBe(compiled + 1)
    expect(await bodyOf(await get(inUrl, { accept: 'application/json;q=0.5' }))).toEqual(answer)
    expect(await overSocket(`${gateway.url}/graphql`, { variables, extensions })).toEqual(answer)
    const documentId = `sha256:${hashOf(query)}`
    expect(await bodyOf(await gateway.post({ variables, documentId }))).toEqual(answer)
    expect(await overSocket(`${gateway.url}/graphql`, { variables, documentId })).toEqual(answer)
  })

  it('register a document over a GET and over a socket', async () => {
    const [one, other] = ['{ chains { id } }', '{ chains { name } }']
    const sent = { query: one, extensions: JSON.stringify(persisted(hashOf(one))) }
    expect(await bodyOf(await get(sent))).toHaveProperty('data.chains')
    const later = await gateway.post({ extensions: persisted(hashOf(one).toUpperCase()) })
    expect(await bodyOf(later)).toHaveProperty('data.chains')
    const extensions = persisted(hashOf(other))
    await overSocket(`${gateway.url}/graphql`, { query: other, extensions })
    expect(await bodyOf(await gateway.post({ extensions }))).toHaveProperty('data.chains')
  })

  it('refuse the hash of another document, and a malformed one', async () => {
    const extensions = persisted(hashOf('{ chains { decimals } }'))
    expect(await codesOf(gateway.post({ query: '{ chains { id } }', extensions }, exact))).toEqual([
      400,
      'PERSISTED_QUERY_MISMATCH',
    ])
    expect(await codesOf(gateway.post({ extensions }, exact))).toEqual([
      404,
      'PERSISTED_QUERY_NOT_FOUND',
    ])
    for (const persistedQuery of [1, {}, { version: 2, sha256Hash: hashOf(query) }, persisted('x')])
      expect(await codesOf(gateway.post({ extensions: { persistedQuery } }, exact))).toEqual([
        400,
        'INVALID_REQUEST',
      ])
    expect(await overSocket(`${gateway.url}/graphql`, { extensions })).toMatchObject([
      { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ])
  })

  it('keep only the newest documents, up to their limit', async () => {
    const long = (at: number) => `{ chains { id } } #${at}${'x'.repeat(32_000)}`
    const first = persisted(hashOf(long(0)))
    for (let at = 0; at < 250; at += 1)
      await gateway.post({ query: long(at), extensions: persisted(hashOf(long(at))) })
    expect(
      await bodyOf(await gateway.post({ extensions: persisted(hashOf(long(249))) })),
    ).toHaveProperty('data.chains')
    expect(await codesOf(gateway.post({ extensions: first }, exact))).toEqual([
      404,
      'PERSISTED_QUERY_NOT_FOUND',
    ])
  })
})

describe('trusted documents', () => {
  let gateway: ServedGateway
  beforeAll(async () => {
    gateway = await serveGateway(
      {},
      {
        deadlineSeconds: 10,
        trustedDocuments: new Map([
          [hashOf(query), query],
          ['Chains', '{ chains { id } }'],
        ]),
      },
    )
  })
  afterAll(() => gateway.close())

  it('execute by their id, their hash or their text', async () => {
    const ways = [
      { documentId: hashOf(query), variables },
      { extensions: persisted(hashOf(query)), variables },
      { query, variables },
      { query, extensions: persisted(hashOf(query)), variables },
    ]
    for (const body of [...ways, ...ways])
      expect(await bodyOf(await gateway.post(body))).toEqual(answer)
    expect(await gateway.compiledAnswers()).toBeGreaterThan(0)
    expect(await bodyOf(await gateway.post({ documentId: 'Chains' }))).toHaveProperty('data.chains')
    expect(await overSocket(`${gateway.url}/graphql`, ways[0] ?? {})).toEqual(answer)
  })

  it('are the only documents that execute', async () => {
    const other = '{ chains { name } }'
    const refusal = [403, 'UNTRUSTED_DOCUMENT']
    for (const body of [
      { query: other },
      { query: other, extensions: persisted(hashOf(other)) },
      { extensions: persisted(hashOf(other)) },
      { documentId: 'Other' },
      { query: other, documentId: 'Chains' },
      { query: '{ __schema { queryType { name } } }' },
    ])
      expect(await codesOf(gateway.post(body, exact))).toEqual(refusal)
    expect(
      await codesOf(fetch(`${gateway.url}/graphql?query=${other}`, { headers: exact })),
    ).toEqual(refusal)
    expect(await overSocket(`${gateway.url}/graphql`, { query: other })).toMatchObject([
      { extensions: { code: 'UNTRUSTED_DOCUMENT' } },
    ])
  })
})

describe('the file of trusted documents', () => {
  const directory = mkdtempSync(join(tmpdir(), 'documents-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const read = (content: unknown) => {
    const path = join(directory, 'documents.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return readTrustedDocuments(path)
  }

  it('has documents by their ids', () => {
    const documents = { [hashOf(query)]: query, Chains: '{ chains { id } }' }
    expect(Object.fromEntries(read(documents))).toEqual(documents)
  })

  it('is refused with a list of all its problems', () => {
    expect(() => read('[')).toThrow('cannot be read')
    expect(() => read([])).toThrow('must be a JSON object')
    const bad = { [hashOf('other')]: query, Broken: '{ chains {', Wrong: '{ pigs }', Number: 5 }
    expect(() => read(bad)).toThrow(
      /is not the SHA-256 hash[\s\S]*Broken: Syntax Error[\s\S]*Wrong: Cannot query field "pigs"[\s\S]*Number: must be the text/,
    )
  })
})
