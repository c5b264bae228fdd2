import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createJsonPoster, parseRetryAfter } from './postJson.ts'

describe('post json', () => {
  const undo: (() => unknown)[] = []
  afterEach(() => {
    for (const each of undo.splice(0)) each()
  })

  /** Serves `answer` on 127.0.0.1. Returns the URL without its scheme. */
  async function serve(
    answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  ): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    undo.push(() => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const never = new AbortController().signal

  it('posts JSON and reads an answer, compressed or not', async () => {
    const host = await serve(async (request, response) => {
      const body = gzipSync(JSON.stringify({ asked: await text(request) }))
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    })
    expect(await createJsonPoster(`http://${host}/key`)({ id: 1 }, never)).toMatchObject({
      json: { asked: '{"id":1}' },
    })
    const plain = await serve((_, response) => response.end('"plain"'))
    expect(await createJsonPoster(`http://${plain}`)({}, never)).toMatchObject({ json: 'plain' })
  })

  it('keeps path and query, and sends the credentials of a URL as basic authentication', async () => {
    const host = await serve(({ url, headers }, response) =>
      response.end(JSON.stringify([url, headers.authorization])),
    )
    const post = createJsonPoster(`http://me:p%40ss@${host}/v2/key?a=1`)
    expect(await post({}, never)).toMatchObject({
      json: ['/v2/key?a=1', `Basic ${Buffer.from('me:p@ss').toString('base64')}`],
    })
  })

  it('follows a redirection with its body', async () => {
    const target = await serve(async (request, response) =>
      response.end(JSON.stringify(await text(request))),
    )
    const host = await serve((_, response) =>
      response.writeHead(308, { location: `http://${target}/` }).end(),
    )
    expect(await createJsonPoster(`http://${host}`)({ id: 1 }, never)).toMatchObject({
      json: '{"id":1}',
    })
  })

  it.each([
    ['{"message":"Invalid API key"}', 'HTTP 403: Invalid API key'],
    ['{"error":"unauthorized"}', 'HTTP 403: unauthorized'],
    ['{"error":{"message":"project\\n paused"}}', 'HTTP 403: project paused'],
    ['Your plan ended.\n', 'HTTP 403: Your plan ended.'],
    ['<html><style>p{}</style><p>Access <b>denied</b></p>', 'HTTP 403: Access denied'],
    ['', 'HTTP 403'],
  ])('reports the status and the words of %j', async (body, message) => {
    const host = await serve((_, response) => response.writeHead(403).end(body))
    await expect(createJsonPoster(`http://${host}`)({}, never)).rejects.toThrow(new Error(message))
  })

  it('reads few words of a long answer', async () => {
    const host = await serve((_, response) => response.writeHead(500).end('<'.repeat(3_000_000)))
    const refusal = await createJsonPoster(`http://${host}`)({}, never).catch(String)
    expect(String(refusal).length).toBeLessThan(3_000)
  })

  it('takes a JSON-RPC error as an answer at any HTTP status, and reports other failures', async () => {
    const rpcError = JSON.stringify({ error: { code: -32000, message: 'No' } })
    const bodies = [rpcError, '{}', '<html>', '']
    const host = await serve(({ url = '' }, response) =>
      response.writeHead(503).end(bodies[Number(url.slice(1))]),
    )
    expect(await createJsonPoster(`http://${host}/0`)({}, never)).toMatchObject({
      json: JSON.parse(rpcError),
    })
    for (const at of [1, 2, 3])
      await expect(createJsonPoster(`http://${host}/${at}`)({}, never)).rejects.toThrow('HTTP 503')
  })

  it('refuses an answer that is too large, also once unpacked', async () => {
    const large = Buffer.alloc(11 * 1024 * 1024, ' ')
    const host = await serve(({ url }, response) =>
      url === '/zipped'
        ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large))
        : response.end(large),
    )
    for (const path of ['plain', 'zipped'])
      await expect(createJsonPoster(`http://${host}/${path}`)({}, never)).rejects.toThrow()
  })

  it('ends with the reason of its signal, while an answer stalls', async () => {
    const arrived = Promise.withResolvers<void>()
    const host = await serve((_, response) => {
      response.write('{')
      arrived.resolve()
    })
    const stop = new AbortController()
    const answer = createJsonPoster(`http://${host}`)({}, stop.signal)
    await arrived.promise
    stop.abort(new Error('Enough'))
    await expect(answer).rejects.toThrow('Enough')
  })
})

const now = Date.UTC(2026, 0, 31, 23, 59, 50)

it.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['3600', 60_000],
  ['Sun, 01 Feb 2026 00:00:00 GMT', 10_000],
  ['Sat, 31 Jan 2026 23:59:40 GMT', 0],
  ['Mon, 02 Feb 2026 00:00:00 GMT', 60_000],
  ['Sun, 99 Feb 2026 00:00:00 GMT', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['1e9', undefined],
  ['2026-02-01', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads %s', (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms)
})

it('takes the first of several', () => {
  expect(parseRetryAfter(['2', '5'], now)).toBe(2_000)
})
