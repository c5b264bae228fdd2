import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '#src/service/service.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
let chains: Service['chains']
beforeAll(async () => {
  chains = cannedOperations.chains
  gateway = await serveGateway({ chains: () => chains() })
})
afterAll(() => gateway.close())

/** The raw answer: fetch would decompress it. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      request(`${gateway.url}${path}`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode: status = 0 } = response
          resolve({ status, headers: response.headers, body: Buffer.concat(chunks) })
        })
      })
        .on('error', reject)
        .end()
    },
  )

describe.each([
  ['/chains', 10],
  ['/swap-sources', 60],
  ['/currencies/trending', 60],
  ['/openapi.json', 60],
  ['/schema.graphql', 60],
])('GET %s', (path, seconds) => {
  it('may be cached, and is not sent again while it is unchanged', async () => {
    const first = await ask(path)
    expect(first.status).toBe(200)
    expect(first.headers).toMatchObject({
      'cache-control': `public, max-age=${seconds}`,
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    const etag = String(first.headers['etag'])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(path, { 'if-none-match': known })
      expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
    }
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('is compressed as the client accepts if it is large enough', async () => {
    const { body: plain } = await ask(path)
    const isLong = plain.length >= 1_024
    const br = await ask(path, { 'accept-encoding': 'gzip, br' })
    const gzip = await ask(path, { 'accept-encoding': 'gzip, br;q=0' })
    if (!isLong && path !== '/openapi.json') {
      expect(br.headers['content-encoding']).toBeUndefined()
      return expect(br.body).toEqual(plain)
    }
    expect([br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.body)).toEqual(plain)
    expect(gunzipSync(gzip.body)).toEqual(plain)
    expect(br.body.length).toBeLessThan(plain.length / 2)
  })
})

it('sends /chains again once it has changed', async () => {
  const before = await ask('/chains')
  const [home, ...others] = cannedOperations.chains()
  if (home === undefined) throw new Error('There are two')
  chains = () => [{ ...home, disabled: true }, ...others]
  const after = await ask('/chains', { 'if-none-match': String(before.headers['etag']) })
  expect(after.status).toBe(200)
  expect(JSON.parse(after.body.toString())).toHaveProperty('chains.0.disabled', true)
})

it('serves the schema of the repository', async () => {
  const { body } = await ask('/schema.graphql')
  expect(body.toString()).toBe(readFileSync('schema.graphql', 'utf8'))
})

it('never caches prices', async () => {
  const answer = await fetch(
    `${gateway.url}/currencies/token/price?chainId=990001&address=0x${'0'.repeat(40)}`,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
})
