import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createRateLimiter, type RateLimits } from '#src/gateway/limits/rateLimiter.ts'
import { units } from '#src/gateway/limits/units.ts'
import { addLimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import { createCallers } from '#src/service/callers.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import { openSocket, watchRequest } from '#test/support/clients/socketClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

const log = pino({ level: 'silent' })
const key = 'a key of the operator'
const identify = createCallers([
  {
    key,
    name: 'partner',
    sponsors: false,
    discounts: false,
    operator: false,
    webhookUrl: undefined,
    maxOpenQuotes: undefined,
  },
])
/** Longer than any test: no window ends while one runs. */
const windowSeconds = 3_600

let gateway: ServedGateway
afterEach(() => gateway.close())

async function serve(rates: Partial<RateLimits>, proxies = 0) {
  const metrics = addLimitMetrics(new Registry())
  let [quotes, hints] = [0, 0]
  gateway = await serveGateway(
    {
      watchRequest,
      quote: async () => {
        quotes += 1
        return cannedQuote
      },
      indexTransaction: async () => {
        hints += 1
      },
    },
    {
      deadlineSeconds: 10,
      proxies,
      rateLimiter: createRateLimiter(
        { log, identify, metrics },
        { addressUnits: 100, keyUnits: 1_000, windowSeconds, ...rates },
      ),
    },
  )
  return { quotes: () => quotes, hints: () => hints }
}

const hint = (headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/transactions/index`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ chainId: 990001, txHash: `0x${'ab'.repeat(32)}` }),
  })

const price = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
const sendPrice = (headers = {}) =>
  gateway.post({ query: price, variables: { input: crossChainInput } }, headers)
const remaining = (response: Response) => Number(response.headers.get('ratelimit-remaining'))

describe('a rate limit', () => {
  it('refuses invented transaction hashes over REST before they are stored', async () => {
    const { hints } = await serve({})
    const answers = await Promise.all(Array.from({ length: 200 }, () => hint()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100 / units.hint)
    expect(hints()).toBe(100 / units.hint)
    const refused = await hint()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect(await refused.json()).toMatchObject({
      errorCode: 'RATE_LIMITED',
      statusCode: 429,
      errorData: { limit: 100, retryAfterSeconds: expect.any(Number) },
    })
  })

  it('refuses a whole GraphQL document of many quotes with gas, once per alias', async () => {
    const { quotes } = await serve({ addressUnits: 700 })
    const each = 'quote(input: $input) { steps { items { data { gas } } } }'
    const query = `query ($input: QuoteInput!) { ${Array.from({ length: 50 }, (_, at) => `q${at}: ${each}`).join(' ')} }`
    const answer = await gateway.post({ query, variables: { input: crossChainInput } })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toEqual({
      errors: [
        {
          message: expect.stringContaining('limit of 700 units'),
          extensions: expect.objectContaining({ code: 'RATE_LIMITED', statusCode: 429 }),
        },
      ],
    })
    expect(quotes()).toBe(0)
  })

  it('charges all that a document runs: aliases, fragments, lists and the items of inputs', async () => {
    await serve({ addressUnits: 100_000 })
    const costOf = async (query: string, variables: object = {}) => {
      const before = remaining(await gateway.post({ query: '{ chains { id } }' }))
      const answer = await gateway.post({ query, variables })
      return before - remaining(answer)
    }
    const { input } = { input: crossChainInput }
    expect(await costOf(price, { input })).toBe(1)
    // Compiled from the third time on.
    for (let sent = 0; sent < 3; sent += 1) expect(await costOf(price, { input })).toBe(1)
    expect(
      await costOf(
        'query ($input: PriceInput!) { ...A b: price(input: $input) { details { rate } } } fragment A on Query { price(input: $input) { details { rate } } }',
        { input },
      ),
    ).toBe(2)
    const prices = 'query ($inputs: [PriceInput!]!) { prices(inputs: $inputs) { __typename } }'
    expect(await costOf(prices, { inputs: [input, input, input] })).toBe(3)
    const gas = 'steps { items { data { gas } } }'
    const quote = `query ($input: QuoteInput!) { quote(input: $input) { ${gas} } }`
    expect(await costOf(quote, { input })).toBe(units.quote + units.gas)
    const multi = `query ($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { ${gas} } }`
    const { originChainId: chainId, originCurrency: currency, amount, ...rest } = crossChainInput
    const { user, destinationChainId, destinationCurrency, tradeType } = rest
    const origins = [1, 2].map(() => ({ chainId, currency, amount }))
    const together = { user, destinationChainId, destinationCurrency, tradeType, origins }
    expect(await costOf(multi, { input: together })).toBe(
      units.quote + 2 * (units.origin + units.gas),
    )
    // A document that is not executed costs its arrival, a long one more.
    expect(await costOf('{ nonsense }')).toBe(1)
    expect(await costOf(`{ nonsense } #${' '.repeat(8_192)}`)).toBe(3)
    expect(await costOf('{ __schema { queryType { name } } }')).toBe(units.introspection)
  })

  it('is in the headers of each answer, except for answers that caches share', async () => {
    await serve({})
    const answer = await sendPrice()
    expect([answer.status, remaining(answer)]).toEqual([200, 99])
    expect(answer.headers.get('ratelimit-limit')).toBe('100')
    expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    const shared = await fetch(`${gateway.url}/chains`)
    expect([shared.status, shared.headers.get('ratelimit-remaining')]).toEqual([200, null])
    expect(remaining(await sendPrice())).toBe(97)
  })

  it('refuses operations and subscriptions over a GraphQL WebSocket', async () => {
    await serve({ addressUnits: 12 })
    const socket = await graphqlSocket(gateway.url)
    const subscription =
      'subscription ($input: PriceInput!) { price(input: $input) { __typename } }'
    const codes: unknown[] = []
    for (let id = 0; id < 4; id += 1)
      codes.push(await socket.first(`${id}`, subscription, { input: crossChainInput }))
    expect(codes).toEqual(['OK', 'OK', 'RATE_LIMITED', 'RATE_LIMITED'])
    expect(12 / units.livePrice).toBeLessThan(3)
  })

  it('refuses messages of a status socket, which stays open', async () => {
    await serve({ addressUnits: 2 })
    const client = await openSocket(`${gateway.url}/ws`)
    await client.next()
    const id = `0x${'00'.repeat(32)}`
    for (let sent = 0; sent < 3; sent += 1)
      client.send({ type: 'subscribe', event: 'request.status.updated', filters: { id } })
    const answers = [await client.next(), await client.next(), await client.next()]
    expect(answers.at(-1)).toMatchObject({
      status: 'error',
      data: {
        errorCode: 'RATE_LIMITED',
        statusCode: 429,
        errorData: { retryAfterSeconds: expect.any(Number) },
      },
    })
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  it('counts by address behind a proxy, by key across addresses, and unknown keys as their address', async () => {
    await serve({ addressUnits: 2 * units.hint, keyUnits: 3 * units.hint }, 1)
    const statuses = async (...all: Record<string, string>[]) => {
      const found: number[] = []
      for (const headers of all) found.push((await hint(headers)).status)
      return found
    }
    const from = (address: string) => ({ 'x-forwarded-for': address })
    expect(await statuses(...[1, 2, 3].map(() => from('203.0.113.1')))).toEqual([200, 200, 429])
    expect(await statuses(from('203.0.113.2'))).toEqual([200])
    const invented = [1, 2].map((at) => ({ ...from('203.0.113.1'), 'x-api-key': `invented ${at}` }))
    expect(await statuses(...invented)).toEqual([429, 429])
    const keyed = [1, 2, 3, 4].map((at) => ({ ...from(`203.0.113.${at}`), 'x-api-key': key }))
    expect(await statuses(...keyed)).toEqual([200, 200, 200, 429])
  })

  it('is off at 0, and never applies to monitoring', async () => {
    await serve({ addressUnits: 0 })
    expect((await hint()).headers.get('ratelimit-limit')).toBeNull()
    await gateway.close()
    await serve({ addressUnits: 1 })
    await sendPrice()
    expect((await sendPrice()).status).toBe(429)
    for (const path of ['/health', '/ready', '/metrics'])
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(200)
  })
})

/** A graphql-transport-ws client that returns the code of the first answer to each operation. */
async function graphqlSocket(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  const waiting = new Map<string, (code: unknown) => void>()
  let ready = () => {}
  const acknowledged = new Promise<void>((resolve) => {
    ready = resolve
  })
  socket.on('open', () => socket.send('{"type":"connection_init"}'))
  socket.on('message', (bytes) => {
    const { type, id, payload } = JSON.parse(bytes.toString())
    if (type === 'connection_ack') ready()
    const errors = type === 'error' ? payload : payload?.errors
    if (type === 'next' || type === 'error') waiting.get(id)?.(errors?.[0].extensions.code ?? 'OK')
  })
  await acknowledged
  return {
    first: (id: string, query: string, variables: object): Promise<unknown> =>
      new Promise((resolve) => {
        waiting.set(id, resolve)
        socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables } }))
      }),
  }
}
