import { createHash } from 'node:crypto'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const query = 'query Persisted($input: PriceInput!) { price(input: $input) { details { rate } } }'
const variables = { input: crossChainInput }

/** A request of a client: the method, and whether it had the document itself. */
type Sent = Readonly<{ method: string; hasDocument: boolean }>

let gateway: ServedGateway
let sent: Sent[]
beforeEach(async () => {
  gateway = await serveGateway()
  sent = []
})
afterEach(() => gateway.close())

const spyingFetch: typeof fetch = (input, init) => {
  const url = decodeURIComponent(`${input}`.replaceAll('+', ' '))
  const text = `${url} ${init?.body ?? ''}`
  sent.push({ method: init?.method ?? 'GET', hasDocument: text.includes('query Persisted') })
  return fetch(input, init)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

type Ask = () => Promise<{ data?: unknown; error?: unknown }>

function createApollo(url: string): Ask {
  const persisted = new PersistedQueryLink({ sha256, useGETForHashedQueries: true })
  const client = new ApolloClient({
    link: ApolloLink.from([persisted, new HttpLink({ uri: url, fetch: spyingFetch })]),
    cache: new InMemoryCache(),
  })
  return () => client.query({ query: gql(query), variables, fetchPolicy: 'no-cache' })
}

function createUrql(url: string): Ask {
  const client = new Client({
    url,
    preferGetMethod: false,
    fetch: spyingFetch,
    exchanges: [persistedExchange({ preferGetForPersistedQueries: true }), fetchExchange],
  })
  return async () => client.query(query, variables, { requestPolicy: 'network-only' }).toPromise()
}

describe.each([
  ['Apollo’s persisted-query link', createApollo, 'POST'],
  // Urql sends short documents in the URL as well.
  ['urql’s persisted exchange', createUrql, 'GET'],
])('%s', (_, create, documentMethod) => {
  it('sends a document once, and then only its hash in a GET', async () => {
    const ask = create(`${gateway.url}/graphql`)
    const hash = { method: 'GET', hasDocument: false }
    const document = { method: documentMethod, hasDocument: true }
    const asks = 4
    for (let asked = 0; asked < asks; asked += 1) {
      const { data, error } = await ask()
      expect(error).toBeUndefined()
      expect(data).toMatchObject({ price: { details: { rate: '2990' } } })
    }
    expect(sent).toEqual([hash, document, ...Array.from({ length: asks - 1 }, () => hash)])
  })

  it('finds the document that another client has sent', async () => {
    const url = `${gateway.url}/graphql`
    await create(url)()
    sent = []
    expect((await create(url)()).error).toBeUndefined()
    expect(sent).toEqual([{ method: 'GET', hasDocument: false }])
  })
})
