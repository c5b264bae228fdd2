import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { AppError } from '#src/core/errors.ts'
import { limitConcurrentStores } from '#src/system/gatewayLimits.ts'
import { cannedOperations, crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'

const query = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
const body = JSON.stringify({ query, variables: { input: crossChainInput } })
const clients = 100
const priceMs = 5

let gateway: ServedGateway
afterEach(() => gateway.close())

/** A gateway whose prices take `priceMs` of its event loop. Counts them. */
async function serve(options: Parameters<typeof serveGateway>[1]) {
  let priced = 0
  gateway = await serveGateway(
    {
      price: async () => {
        priced += 1
        const until = performance.now() + priceMs
        while (performance.now() < until);
        return cannedPrice
      },
    },
    options,
  )
  return () => priced
}

/** A connection that sends its next request when it has the answer, and hands each answer to `onAnswer` until that is false. */
function keepAsking(path: string, text: string, onAnswer: (answer: string) => boolean) {
  return new Promise<void>((resolve) => {
    const socket = createConnection(Number(new URL(gateway.url).port), '127.0.0.1')
    const request = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    let answer = ''
    // A character for each byte, as the length counts bytes.
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      answer += chunk
      const [whole = '', length] =
        /^[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(answer) ?? []
      if (whole === '' || answer.length < whole.length + Number(length)) return
      const goesOn = onAnswer(answer)
      answer = ''
      if (goesOn) socket.write(request)
      else socket.destroy()
    })
    socket.on('close', () => resolve())
  })
}

it('refuses early requests that it cannot answer in time, in the shape of each API, and answers the others', async () => {
  const priced = await serve({
    deadlineSeconds: 10,
    admission: { maxQueueMs: 10, maxInFlight: 1_000 },
  })
  const refusals = { graphql: '', rest: '' }
  let answered = 0
  const isDone = () => refusals.graphql !== '' && refusals.rest !== '' && answered > clients
  const ask = (path: string, sent: string, api: keyof typeof refusals) =>
    keepAsking(path, sent, (answer) => {
      if (answer.includes('OVERLOADED')) refusals[api] = answer
      else answered += 1
      return !isDone()
    })
  const rest = JSON.stringify(crossChainInput)
  await Promise.all(
    Array.from({ length: clients }, (_, at) =>
      at % 2 === 0 ? ask('/graphql', body, 'graphql') : ask('/price', rest, 'rest'),
    ),
  )
  // Refused requests were not priced.
  expect(priced()).toBeLessThanOrEqual(answered + clients)
  for (const answer of Object.values(refusals)) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/^retry-after: 1\r$/im)
  }
  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
  const facts = { statusCode: 503 }
  expect(bodyOf(refusals.graphql)).toEqual({
    errors: [
      {
        message: expect.any(String),
        extensions: { code: 'OVERLOADED', retryAfterSeconds: 1, ...facts },
      },
    ],
  })
  expect(bodyOf(refusals.rest)).toEqual({
    errorCode: 'OVERLOADED',
    message: expect.any(String),
    ...facts,
    errorData: { retryAfterSeconds: 1 },
  })
  // Once the burst is over nothing is refused, and monitoring knows of it.
  expect((await gateway.post(body)).status).toBe(200)
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(metrics).toMatch(/^crossquote_overload_refused_total [1-9]/m)
})

it('refuses nothing when the page opens 50 times while two processes keep the cores busy', async () => {
  await serve({ deadlineSeconds: 600, admission: { maxQueueMs: 20, maxInFlight: 2_000 } })
  for (let at = 0; at < 2; at += 1) {
    const busy = spawn(process.execPath, ['-e', 'while (true);'])
    onTestFinished(() => void busy.kill())
  }
  const files = ['/', '/page/page.css', '/page/page.js', '/page/icon.svg']
  const refused: string[] = []
  for (let at = 0; at < 50; at += 1) {
    const answers = await Promise.all([
      ...files.map((path) => fetch(`${gateway.url}${path}`)),
      ...Array.from({ length: 8 }, () => gateway.post(body)),
    ])
    for (const { status, url } of answers) if (status !== 200) refused.push(`${status} ${url}`)
    await Promise.all(answers.map((answer) => answer.text()))
  }
  expect(refused).toEqual([])
})

function connect(): WebSocket {
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  return socket
}

it('limits the requests in flight, but never refuses those of monitoring', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let waiting = 0
  gateway = await serveGateway(
    {
      price: async () => {
        waiting += 1
        await held
        return cannedPrice
      },
    },
    { deadlineSeconds: 600, admission: { maxQueueMs: 0, maxInFlight: 2 } },
  )
  const open = connect()
  await once(open, 'open')
  const asked = [gateway.post(body), gateway.post(body)]
  await expect.poll(() => waiting, patience).toBe(2)
  expect((await gateway.post(body)).status).toBe(503)
  for (const path of ['/health', '/ready', '/metrics'])
    expect((await fetch(`${gateway.url}${path}`)).status).toBe(200)
  // An open WebSocket gets an error, and no new one opens.
  const refused = new Promise<string>((resolve) => {
    open.on('message', (bytes) => {
      const text = bytes.toString()
      if (!text.includes('connection_ack')) return resolve(text)
      return open.send(`{"id":"1","type":"subscribe","payload":${body}}`)
    })
  })
  open.send('{"type":"connection_init"}')
  expect(await refused).toContain('"code":"OVERLOADED"')
  const [error] = await once(connect(), 'error')
  expect(error.message).toBe('Unexpected server response: 503')
  release()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
  expect((await gateway.post(body)).status).toBe(200)
})

it('stores a few quotes at a time, and refuses quotes that would wait too long', async () => {
  gateway = await serveGateway(cannedOperations)
  const ends: (() => void)[] = []
  let most = 0
  let running = 0
  const put = limitConcurrentStores(async (_: number) => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running -= 1
  })
  const stored = Array.from({ length: 300 }, (_, at) =>
    put(at).then(
      () => 'stored',
      (error) => (error instanceof AppError ? error.code : String(error)),
    ),
  )
  const refused = stored.slice(192)
  expect(new Set(await Promise.all(refused))).toEqual(new Set(['OVERLOADED']))
  expect([running, most]).toEqual([64, 64])
  const ending = setInterval(() => ends.shift()?.(), 0)
  expect(new Set(await Promise.all(stored.slice(0, 192)))).toEqual(new Set(['stored']))
  clearInterval(ending)
  expect(most).toBe(64)
})
