import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createRateLimiter } from '#src/gateway/limits/rateLimiter.ts'
import { addLimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import { createCallers } from '#src/service/callers.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { idOf, openSocket, subscribe, watchRequest } from '#test/support/clients/socketClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'

const log = pino({ level: 'silent' })
const rates = { addressUnits: 50, keyUnits: 50, windowSeconds: 3_600 }
/** More than the units of the client and the refusals that it is granted. */
const flood = 400
const tryAgainLater = 1013

let gateway: ServedGateway
afterEach(() => gateway.close())

const serve = async () => {
  const metrics = addLimitMetrics(new Registry())
  const limiter = createRateLimiter({ log, identify: createCallers([]), metrics }, rates)
  gateway = await serveGateway({ watchRequest }, { deadlineSeconds: 10, rateLimiter: limiter })
}

const cutByMessages = async (): Promise<string | undefined> =>
  (await (await fetch(`${gateway.url}/metrics`)).text())
    .split('\n')
    .find((line) => line.startsWith('crossquote_connections_cut_total{reason="messages"}'))

/** A connection of each WebSocket, which counts the answers that it gets. */
async function connect(path: '/ws' | '/graphql') {
  const protocol = path === '/graphql' ? ['graphql-transport-ws'] : []
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${path}`, protocol)
  onTestFinished(() => socket.terminate())
  let answers = 0
  socket.on('message', () => {
    answers += 1
  })
  const closed = once(socket, 'close')
  await once(socket, 'open')
  if (path === '/graphql') {
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
  }
  return { socket, answers: () => answers, code: async () => (await closed)[0] as number }
}

const operation = (at: number) =>
  `{"id":"${at}","type":"subscribe","payload":{"query":"{ chains { id } }"}}`

describe('a flood of messages on one connection', () => {
  it.each([
    ['subscriptions of /ws', '/ws', (at: number) => JSON.stringify(subscribe(idOf(at)))],
    ['unreadable messages of /ws', '/ws', () => 'x'],
    ['GraphQL operations', '/graphql', operation],
    ['GraphQL pings', '/graphql', () => '{"type":"ping"}'],
  ] as const)('closes it with 1013: %s', async (_, path, message) => {
    await serve()
    const { socket, answers, code } = await connect(path)
    for (let at = 0; at < flood; at += 1) socket.send(message(at))
    expect(await code()).toBe(tryAgainLater)
    // It was closed before all were answered. An operation has up to two answers.
    expect(answers()).toBeLessThan(flood)
    expect(await cutByMessages()).toMatch(/ 1$/)
  })

  it.each(['/ws', '/graphql'] as const)(
    'closes the connection with 1013 after pings of %s',
    async (path) => {
      await serve()
      const { socket, code } = await connect(path)
      // Faster ones are cut by the library.
      socket.on('pong', () => socket.ping())
      socket.ping()
      expect(await code()).toBe(tryAgainLater)
    },
  )

  it('does not close the connection of a client that waits as requested', async () => {
    await serve()
    const client = await openSocket(`${gateway.url}/ws`)
    await client.next()
    for (let at = 0; at < rates.addressUnits + 10; at += 1) client.send(subscribe(idOf(at)))
    const statuses: unknown[] = []
    for (let at = 0; at < rates.addressUnits + 10; at += 1) {
      const { status } = (await client.next()) as { status: string }
      statuses.push(status)
    }
    // The handshake has cost a unit.
    expect(statuses.filter((status) => status === 'error')).toHaveLength(11)
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    expect(await cutByMessages()).toBeUndefined()
  })
})

it.each(['/ws', '/graphql'] as const)(
  'a client without units cannot open a connection of %s: 429, with the time of the next try',
  async (path) => {
    await serve()
    const url = `${gateway.url.replace('http', 'ws')}${path}`
    const open = () => new WebSocket(url, path === '/graphql' ? ['graphql-transport-ws'] : [])
    for (let at = 0; at < rates.addressUnits; at += 1) {
      const socket = open()
      await once(socket, 'open')
      onTestFinished(() => socket.terminate())
    }
    const [, response] = await once(open(), 'unexpected-response')
    const { message, errorCode, errors } = JSON.parse(await text(response))
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.headers['ratelimit-remaining']).toBe('0')
    expect(errorCode ?? errors[0].extensions.code).toBe('RATE_LIMITED')
    expect(message ?? errors[0].message).toMatch(/^You have used up your limit of 50 units/)
  },
)

it('an overloaded gateway refuses subscriptions of /ws, and new WebSockets', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let waiting = 0
  gateway = await serveGateway(
    {
      watchRequest,
      price: async () => {
        waiting += 1
        await held
        return cannedPrice
      },
    },
    { deadlineSeconds: 600, admission: { maxQueueMs: 0, maxInFlight: 1 } },
  )
  const client = await openSocket(`${gateway.url}/ws`)
  await client.next()
  const query = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
  const priced = gateway.post({ query, variables: { input: crossChainInput } })
  await vi.waitUntil(() => waiting === 1, patience)
  client.send(subscribe(idOf(1)))
  expect(await client.next()).toMatchObject({
    type: 'subscribe',
    status: 'error',
    data: { errorCode: 'OVERLOADED', statusCode: 503, errorData: { retryAfterSeconds: 1 } },
  })
  for (const path of ['/ws', '/graphql']) {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${path}`)
    const [, response] = await once(socket, 'unexpected-response')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1'])
    response.destroy()
  }
  release()
  expect((await priced).status).toBe(200)
  client.send(subscribe(idOf(1)))
  expect(await client.next()).toMatchObject({ type: 'subscribe', status: 'success' })
})
