import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { AppError } from '#src/core/errors.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { fullSubscriptions } from '#test/support/clients/fullQueries.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

/** Yoga and graphql-js execute the first subscriptions of a document; the compiled executor takes over afterwards. */
const subscriptionsPerDocument = 4

let gateway: ServedGateway
let client: Client
beforeAll(async () => {
  const { blocks } = cannedPrice
  gateway = await serveGateway({
    watchPrice: async function* ({ referrer }) {
      yield { price: cannedPrice, failure: undefined, blocks }
      if (referrer === 'lie')
        yield { price: { ...cannedPrice, timeEstimate: Number.NaN }, failure: undefined, blocks }
      if (referrer === 'refuse') throw new AppError('SERVICE_UNAVAILABLE', 'The market is away')
      if (referrer === 'break') throw new TypeError('secret')
      const failure = new AppError('NO_SWAP_ROUTES_FOUND', 'No pools', { leg: 'origin' })
      yield { price: undefined, failure, blocks }
    },
  })
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
})
afterAll(async () => {
  await client.dispose()
  await gateway.close()
})

type Sent = Readonly<{
  query: string
  variables?: Record<string, unknown>
  operationName?: string
}>

async function bySse(sent: Sent): Promise<unknown[]> {
  const response = await gateway.post(sent, { accept: 'text/event-stream' })
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return [response.status, await response.json()]
  const events: unknown[] = []
  for await (const event of readEventStream(response)) events.push(event)
  return events
}

async function bySocket(sent: Sent): Promise<unknown[]> {
  const events: unknown[] = []
  try {
    for await (const event of client.iterate(sent)) events.push(event)
  } catch (error) {
    events.push(error)
  }
  return events
}

const requestId = `0x${'00'.repeat(32)}`
const variablesOf: Readonly<Record<string, Record<string, unknown>>> = {
  chainHead: { chainId: 990001 },
  price: { input: crossChainInput },
  requestStatus: { requestId },
}
const refer = (referrer: string) => ({ input: { ...crossChainInput, referrer } })
const { price = '', requestStatus = '' } = fullSubscriptions

const several = `
  subscription Head($yes: Boolean!) { chainHead(chainId: 990001) { number @include(if: $yes) hash @skip(if: $yes) } }
  subscription Status($id: RequestId!) { status: requestStatus(requestId: $id) { ...S } } fragment S on RequestStatus { __typename now: status }
`

const conditional = `subscription Never($yes: Boolean!) { chainHead(chainId: 990001) @skip(if: $yes) { number } }`
const never = 'subscription { ... @include(if: false) { chainHead(chainId: 990001) { number } } }'

const sent: Readonly<Record<string, Sent>> = {
  ...Object.fromEntries(
    Object.entries(fullSubscriptions).map(([name, query]) => [
      `every field of ${name}`,
      { query, variables: variablesOf[name] ?? {} },
    ]),
  ),
  'a status after an event': { query: requestStatus, variables: { requestId, after: 1 } },
  'a resolver with an invalid value': { query: price, variables: refer('lie') },
  'a source that refuses': { query: price, variables: refer('refuse') },
  'a source with a bug': { query: price, variables: refer('break') },
  'bad contents': {
    query: price,
    variables: { input: { ...crossChainInput, user: '0x1', amount: '-1' }, minIntervalMs: -1 },
  },
  'bad types': { query: price, variables: { input: 'x', minIntervalMs: {} } },
  'no variables': { query: price },
  'the first of several operations': {
    query: several,
    operationName: 'Head',
    variables: { yes: true },
  },
  'an alias and a fragment': {
    query: several,
    operationName: 'Status',
    variables: { id: requestId },
  },
  'no operation of that name': { query: several, operationName: 'Third' },
  'a field with a condition': { query: conditional, variables: { yes: true } },
  'a field that is left out': { query: never },
}

describe('the Yoga executor and the compiled executor', () => {
  it('are compared on every subscription', () => {
    expect(Object.keys(variablesOf).toSorted()).toEqual(Object.keys(fullSubscriptions).toSorted())
  })

  describe.each([
    ['server-sent events', bySse],
    ['a WebSocket', bySocket],
  ])('over %s', (way, subscribe) => {
    it.each(Object.entries(sent))('give the same events for %s', async (_, each) => {
      // The comment makes the document unique, so Yoga executes it first.
      const document = { ...each, query: `${each.query} # ${way}` }
      const first = await subscribe(document)
      expect(first.length).toBeGreaterThan(0)
      for (let again = 1; again < subscriptionsPerDocument; again += 1)
        expect(await subscribe(document)).toEqual(first)
    })

    it.each([
      ['conditional', { query: conditional, variables: { yes: true } }, 'skip'],
      ['left out', { query: never }, 'include'],
    ])('refuse a field that is %s, and say why', async (_, each, directive) => {
      const answer = JSON.stringify(await subscribe(each))
      expect(answer).toContain(`leave out @${directive}`)
      expect(answer).toContain('"code":"INVALID_REQUEST"')
    })
  })
})
