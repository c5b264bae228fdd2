import { parse } from 'graphql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import type { CurrencyFilter } from '#src/service/answers.ts'
import { listChains } from '#src/service/chains.ts'
import { searchCurrencies } from '#src/service/currencies.ts'
import {
  documentedOperations,
  graphiqlOperations,
} from '#test/support/clients/publishedOperations.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { idOf } from '#test/support/store/storeModel.ts'
import { type CachingClient, createApollo, createUrql } from './cachingClients.ts'

const isQuery = ({ text }: { text: string }): boolean => {
  const [definition] = parse(text).definitions
  return definition?.kind === 'OperationDefinition' && definition.operation === 'query'
}

const needsVariables = ({ text, variables }: { text: string; variables: object }): boolean =>
  text.includes('$') && Object.keys(variables).length === 0

/** Urql omits names that the query did not select. */
const withoutTypenames = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, each) => (key === '__typename' ? undefined : each))

/** The chains and currencies of a stack, for the queries of GraphiQL. */
const operationsOf = ({ config, market: { latest, status, currencies } }: Stack) => ({
  chains: () => listChains({ config, latest, status, known: currencies.known }),
  currencies: (filter: CurrencyFilter) =>
    searchCurrencies(currencies.list(), filter, () => undefined),
})

let stack: Stack
let live: LiveGateway
beforeAll(async () => {
  ;[stack, live] = await Promise.all([startStack(), serveLiveGateway()])
})
afterAll(async () => {
  await Promise.all([stack.stop(), live.close()])
})

const order = (change: object) => ({
  user: users[0].address,
  originChainId: 990001,
  originCurrency: stack.currencyOn(990001, 'ETH'),
  destinationChainId: 990002,
  destinationCurrency: stack.currencyOn(990002, 'USDC'),
  amount: '1000000000000000000',
  tradeType: 'EXACT_INPUT',
  ...change,
})

const steps = 'id requestId steps { id name items { id data { to data value chainId } } }'
const quoteQuery = `query Q($input: QuoteInput!) { quote(input: $input) { ${steps} details { currencyIn { amount } } } }`
const multiQuery = `query M($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { ${steps} } }`

describe.each([
  ['Apollo’s InMemoryCache', createApollo],
  ['urql’s graphcache', createUrql],
])('%s with its default settings', (_, create) => {
  let client: CachingClient
  beforeEach(() => {
    client = create(stack.url)
  })
  afterEach(() => client.close())

  const expectSame = (query: string, variables: object, answer: unknown) =>
    expect(withoutTypenames(client.cached(query, variables as never))).toEqual(
      withoutTypenames(answer),
    )

  it('returns the answer of every documented query', async () => {
    const queries = [...documentedOperations(), ...graphiqlOperations(operationsOf(stack))]
      .filter(isQuery)
      .filter((each) => !needsVariables(each))
    expect(queries.length).toBeGreaterThanOrEqual(12)
    for (const { text, variables } of queries) {
      const answer = await client.fetch(text, variables)
      expect(answer).toBeTruthy()
      expectSame(text, variables, answer)
    }
  })

  it('stores two quotes separately', async () => {
    const inputs = ['1000000000000000000', '2000000000000000000'].map((amount) => ({
      input: order({ amount }),
    }))
    const answers = []
    for (const input of inputs) answers.push(await client.fetch(quoteQuery, input))
    for (const [at, input] of inputs.entries()) expectSame(quoteQuery, input, answers[at])
    expect(answers[0]).not.toEqual(answers[1])
  })

  it('stores the deposits of a multi-input quote separately', async () => {
    const origins = [990001, 990003].map((chainId, at) => ({
      chainId,
      currency: stack.currencyOn(chainId, at === 0 ? 'ETH' : 'BNB'),
      amount: '1000000000000000000',
    }))
    const { user, destinationChainId, destinationCurrency, tradeType } = order({})
    const input = { user, origins, destinationChainId, destinationCurrency, tradeType }
    const answer = await client.fetch(multiQuery, { input })
    expectSame(multiQuery, { input }, answer)
    const { multiInputQuote } = answer as { multiInputQuote: { steps: { items: object[] }[] } }
    expect(multiInputQuote.steps).toHaveLength(2)
    expect(multiInputQuote.steps[0]?.items).not.toEqual(multiInputQuote.steps[1]?.items)
  })

  it('finds a stored quote by its id', async () => {
    for (const change of [
      {},
      { destinationChainId: 990001, destinationCurrency: stack.currencyOn(990001, 'USDC') },
    ]) {
      const input = order(change)
      const { quote } = (await client.fetch(quoteQuery, { input })) as {
        quote: { id: string; requestId: string; steps: { id: string }[] }
      }
      const nodes = `query N($ids: [ID!]!) { nodes(ids: $ids) {
        __typename
        ... on Quote { ${steps} }
        ... on Step { id name items { id data { to data value chainId } } }
      } }`
      const ids = [quote.id, ...quote.steps.map(({ id }) => id)]
      const found = await client.fetch(nodes, { ids })
      const expected = { nodes: [{ ...quote, details: undefined }, ...quote.steps] }
      expect(withoutTypenames(found)).toEqual(withoutTypenames(expected))
      // The id of the request is public: it must not reveal the hash of an order.
      const byRequest = await client.fetch(nodes, { ids: [`Quote:${quote.requestId}`] })
      const isPublic = quote.id === `Quote:${quote.requestId}`
      expect([isPublic, (byRequest as { nodes: unknown[] }).nodes[0] !== null]).toEqual(
        'destinationChainId' in change ? [true, true] : [false, false],
      )
    }
  })

  it('updates a cached status with each event', async () => {
    const followed = create(live.url)
    const requestId = idOf(create === createApollo ? 901 : 902)
    live.model.put(requestId)
    const query =
      'query S($id: RequestId!) { requestStatus(requestId: $id) { id seq status steps { id name items { status } } } }'
    const follow = query.replace('query S', 'subscription F')
    await followed.fetch(query, { id: requestId })
    const statusNow = () =>
      (followed.cached(query, { id: requestId }) as { requestStatus: { status: string } })
        .requestStatus.status
    expect(statusNow()).toBe('waiting')
    const seen: string[] = []
    const due = ['pending', 'submitted', 'success'] as const
    await followed.follow(follow, { id: requestId }, () => {
      seen.push(statusNow())
      const next = due[seen.length - 1]
      if (next !== undefined) live.change(requestId, next)
    })
    expect(seen).toEqual(['waiting', ...due])
    await followed.close()
  })
})
