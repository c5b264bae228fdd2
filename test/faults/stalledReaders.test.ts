import { createConnection, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'

/** More than the buffers of two sockets hold. */
const longAnswer = 'x'.repeat(16_000_000)
const longQuery = encodeURIComponent('{ chain(chainId: 990001) { displayName } }')
const shortQuery = encodeURIComponent('{ chains { id } }')
const get = (query: string) => `GET /graphql?query=${query} HTTP/1.1\r\nhost: x\r\n\r\n`

let gateway: ServedGateway
const clients: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await gateway.close()
})

/** Counts the long answers that the gateway has made. */
async function serve(
  options: Partial<Parameters<typeof serveGateway>[1]> = {},
  changed: Parameters<typeof serveGateway>[0] = {},
) {
  const [home] = cannedOperations.chains()
  let made = 0
  gateway = await serveGateway(
    {
      chain: () => {
        made += 1
        return home && { ...home, displayName: longAnswer }
      },
      ...changed,
    },
    { deadlineSeconds: 10, ...options },
  )
  return () => made
}

function connect(text: string): Socket {
  const client = createConnection(Number(new URL(gateway.url).port), '127.0.0.1')
  clients.push(client)
  // A connection that the gateway cuts while it is written to.
  client.on('error', () => {})
  client.write(text)
  client.resume()
  return client
}

const metric = async (name: string): Promise<number> => {
  const line = (await (await fetch(`${gateway.url}/metrics`)).text())
    .split('\n')
    .find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const stalled = 'crossquote_connections_cut_total{reason="stalled"}'

const connectionsOf = ({ server }: ServedGateway): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)))

it('computes only one answer for a client that pipelines requests and reads nothing', async () => {
  const made = await serve()
  connect(get(longQuery).repeat(20)).pause()
  await vi.waitUntil(() => made() > 0, patience)
  // The other requests came in the same packet. Their effects have happened after these answers.
  for (let sent = 0; sent < 5; sent += 1) await gateway.query('{ chains { id } }')
  expect(made()).toBe(1)
})

it('pipelined requests are answered in their order', async () => {
  await serve()
  const names = ['first', 'second', 'third']
  const client = connect(
    names.map((name) => get(encodeURIComponent(`{ ${name}: chains { id } }`))).join(''),
  )
  let text = ''
  client.on('data', (chunk) => {
    text += chunk
  })
  await vi.waitUntil(() => text.includes('third'), patience)
  expect(text.match(/first|second|third/g)).toEqual(names)
})

it('a client that pipelines without end is disconnected', async () => {
  await serve()
  const client = connect(get(longQuery).repeat(400)).pause()
  await vi.waitUntil(
    async () => (await metric('crossquote_connections_cut_total{reason="pipelining"}')) === 1,
    patience,
  )
  client.resume()
  await vi.waitUntil(() => client.closed, patience)
})

it('a client that stops reading a plain answer is disconnected', async () => {
  const made = await serve({ connections: { stalledSeconds: 1.5 } })
  for (let at = 0; at < 3; at += 1) connect(get(longQuery)).pause()
  await vi.waitUntil(() => made() > 0, patience)
  await vi.waitUntil(async () => (await connectionsOf(gateway)) === 0, patience)
})

it('a client that reads an answer byte by byte is disconnected', async () => {
  await serve({ connections: { answerSeconds: 0.4 } })
  const client = connect(get(longQuery)).pause()
  const reading = setInterval(() => client.read(1), 50)
  await vi.waitUntil(async () => (await metric(stalled)) === 1, patience)
  clearInterval(reading)
})

it('an event stream may last longer than a plain answer', async () => {
  let announce = () => {}
  const announced = new Promise<void>((resolve) => {
    announce = resolve
  })
  const [home] = cannedOperations.chains()
  await serve(
    { connections: { answerSeconds: 0.4 } },
    {
      watchChainHead: async function* () {
        await announced
        if (home?.head !== undefined) yield { ...home.head, chainId: home.id }
      },
    },
  )
  const query = 'subscription { chainHead(chainId: 990001) { number } }'
  const stream = readEventStream(await gateway.post({ query }, { accept: 'text/event-stream' }))
  connect(get(longQuery)).pause()
  await vi.waitUntil(async () => (await metric(stalled)) === 1, patience)
  announce()
  expect((await stream.next()).value?.data).toEqual({ data: { chainHead: { number: 1234 } } })
})

it('limits the connections of each address separately', async () => {
  await serve({ connections: { maxConnectionsPerAddress: 3 } })
  const held = [connect(''), connect('')]
  await vi.waitUntil(async () => (await connectionsOf(gateway)) === 2, patience)
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
  const fourth = connect('')
  await vi.waitUntil(() => fourth.closed, patience)
  const { port } = new URL(gateway.url)
  const elsewhere = createConnection({
    port: Number(port),
    host: '127.0.0.1',
    localAddress: '127.0.0.2',
  })
  clients.push(elsewhere)
  elsewhere.write(get(shortQuery))
  const answer = await new Promise<string>((resolve) =>
    elsewhere.once('data', (text) => resolve(`${text}`)),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
  for (const each of held) each.destroy()
  await vi.waitUntil(async () => (await metric('crossquote_connections')) <= 2, patience)
  expect(await metric('crossquote_connections_cut_total{reason="address"}')).toBe(1)
})

it('limits the connections of all addresses together', async () => {
  await serve({ connections: { maxConnections: 2 } })
  const held = [connect(''), connect('')]
  await vi.waitUntil(async () => (await connectionsOf(gateway)) === 2, patience)
  const third = connect('')
  await vi.waitUntil(() => third.closed, patience)
  expect(held.every((each) => !each.closed)).toBe(true)
})

it.each([
  ['headers', 'GET /health HTTP/1.1\r\nhost: x\r\n'],
  [
    'body',
    'POST /price HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  ],
])('a client that does not finish its %s is disconnected before an idle one', async (_, text) => {
  await serve({ timeouts: { headersMs: 100, requestMs: 150, keepAliveMs: 20_000 } })
  const slow = connect(text)
  const idle = connect(get(shortQuery))
  let answer = ''
  slow.on('data', (chunk) => {
    answer += chunk
  })
  idle.resume()
  const first = await Promise.race(
    [slow, idle].map(
      (client) => new Promise<Socket>((resolve) => client.once('close', () => resolve(client))),
    ),
  )
  expect([first === slow, answer.slice(0, 12)]).toEqual([true, 'HTTP/1.1 408'])
})
