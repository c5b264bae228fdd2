import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { AppError } from '#src/core/errors.ts'
import { createUpstreamClient } from './upstreamClient.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A service that gives this answer, and its client with a clock that the test sets. */
async function clientOf(answer: RequestListener, timeoutSeconds = 600) {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = { now: 0 }
  const log = { warn: () => {}, info: () => {} }
  const { ask } = createUpstreamClient(
    { log, now: () => clock.now },
    { url, apiKey: 'a key', timeoutSeconds },
  )
  const failure = () =>
    ask({ path: '/price', body: {} }).then(
      () => 'answered',
      ({ code, reason, message }: AppError) => `${code}: ${reason ?? message}`,
    )
  return { ask, failure, clock }
}

const replying =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

it('sends JSON with the API key, and returns the JSON of the answer', async () => {
  const seen: unknown[] = []
  const { ask } = await clientOf((request, response) => {
    seen.push([request.method, request.url, request.headers['x-api-key']])
    response.end('{"a":1}')
  })
  expect(await ask({ path: '/price', body: {} })).toEqual({ a: 1 })
  expect(await ask({ path: '/intents/status/v3?requestId=0x' })).toEqual({ a: 1 })
  expect(seen).toEqual([
    ['POST', '/price', 'a key'],
    ['GET', '/intents/status/v3?requestId=0x', 'a key'],
  ])
})

const endless: RequestListener = (_, response) => {
  const write = () => {
    while (response.write(' '.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

it.each([
  ['hangs up', (request) => void request.destroy(), 'SERVICE_UNAVAILABLE: upstream: '],
  ['is down', replying(502, ''), 'SERVICE_UNAVAILABLE: upstream: HTTP 502'],
  ['is overloaded', replying(429, ''), 'SERVICE_UNAVAILABLE: upstream: HTTP 429'],
  ['refuses our key', replying(401, ''), 'SERVICE_UNAVAILABLE: upstream: HTTP 401'],
  ['never ends its body', endless, 'SWAP_QUOTE_FAILED: '],
  ['sends no JSON', replying(200, '<html>'), 'SWAP_QUOTE_FAILED: '],
  ['refuses without a code', replying(400, '{"message":"No"}'), 'SWAP_QUOTE_FAILED: '],
  [
    'refuses with a code that callers can fix',
    replying(400, '{"errorCode":"AMOUNT_TOO_LOW","message":"<b>"}'),
    'AMOUNT_TOO_LOW: The upstream service refuses the request: AMOUNT_TOO_LOW',
  ],
  [
    'refuses with an unknown code',
    replying(400, '{"errorCode":"NO_QUOTES"}'),
    'SWAP_QUOTE_FAILED: The upstream service refuses the request: NO_QUOTES',
  ],
] satisfies [string, RequestListener, string][])('a service that %s', async (_, answer, code) => {
  const { failure } = await clientOf(answer)
  expect(await failure()).toContain(code)
})

it.each([
  ['never answers', () => {}],
  ['stops in the middle', (_, response) => void response.write('{')],
] satisfies [string, RequestListener][])('a service that %s', async (_, answer) => {
  const { failure } = await clientOf(answer, 0.1)
  expect(await failure()).toContain('SERVICE_UNAVAILABLE: upstream: ')
})

it('follows no redirect', async () => {
  const { failure } = await clientOf(({ url }, response) => {
    if (url === '/elsewhere') response.end('{}')
    else response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await failure()).toContain('SERVICE_UNAVAILABLE')
})

it('leaves a service alone that fails again and again, and then tries once more', async () => {
  let requests = 0
  const answers = [500, 500, 500, 200]
  const { failure, clock } = await clientOf((_, response) => {
    response.writeHead(answers[requests] ?? 200).end('{}')
    requests += 1
  })
  for (const _ of [1, 2, 3]) await failure()
  expect(await failure()).toContain('paused')
  expect(requests).toBe(3)
  clock.now = 1_000
  expect(await failure()).toBe('answered')
})

it('sends at most 32 requests at a time', async () => {
  const waiting: (() => void)[] = []
  const { failure } = await clientOf((_, response) => {
    waiting.push(() => response.end('{}'))
    if (waiting.length === 32) for (const answer of waiting) answer()
  })
  const outcomes = await Promise.all(Array.from({ length: 33 }, failure))
  expect(outcomes.filter((each) => each === 'answered')).toHaveLength(32)
  expect(outcomes.at(-1)).toContain('too many')
})
