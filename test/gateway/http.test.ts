import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway()
})
afterAll(() => gateway.close())

const get = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init)

describe('HTTP routes', () => {
  it('serve Prometheus metrics', async () => {
    await gateway.query('query ($i: PriceInput!) { price(input: $i) { details { rate } } }', {
      i: crossChainInput,
    })
    await gateway.query('{ nonsense }')
    const response = await get('/metrics')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    for (const line of [
      /^crossquote_request_duration_seconds_count\{operation="price",code="OK",lane="yoga"\} 1$/m,
      /^crossquote_request_duration_seconds_count\{operation="none",code="INVALID_REQUEST",lane="yoga"\} 1$/m,
      /^crossquote_rpc_requests_total\{chain="chain-1",endpoint="0: http:\/\/rpc",method="eth_call"\} 3$/m,
      /^crossquote_chain_head_block\{chain="chain-1"\} 1234$/m,
      /^process_cpu_seconds_total /m,
    ])
      expect(text).toMatch(line)
  })

  it('serve the page, all of its files, and a policy that names only this host', async () => {
    const index = await get('/')
    const html = await index.text()
    expect(html).toContain('<title>Crossquote</title>')
    expect(index.headers.get('content-security-policy')).toMatch(/connect-src 'self'; /)
    const paths = [...html.matchAll(/"(\/page\/[^"]+[^/])"/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThanOrEqual(3)
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  it('answer unknown paths and unsupported methods with an error code', async () => {
    const missing = await get('/constructor')
    expect([missing.status, await missing.json()]).toEqual([
      404,
      {
        message: 'Not found. The APIs are described at /graphql and /docs',
        errorCode: 'NOT_FOUND',
        statusCode: 404,
      },
    ])
    const wrong = await get('/health', { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await wrong.json()).toMatchObject({ errorCode: 'METHOD_NOT_ALLOWED' })
    const put = await get('/graphql', { method: 'PUT', body: '{}' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS'])
    expect(await put.json()).toMatchObject({
      errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED', statusCode: 405 } }],
    })
  })
})

describe('/graphql', () => {
  const chains = JSON.stringify({ query: '{ chains { id } }' })

  it('answers queries by GET', async () => {
    const search = new URLSearchParams({
      query: 'query ($id: ChainId!) { chain(chainId: $id) { name } }',
      variables: '{"id":990001}',
    })
    const response = await get(`/graphql?${search}`)
    expect(await response.json()).toEqual({ data: { chain: { name: 'chain-1' } } })
  })

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/graphql',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('rejects a body of type %s', async (type) => {
    const response = await gateway.post(chains, { 'content-type': type })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }],
    })
  })

  it.each([
    'application/json',
    'Application/JSON ; Charset="UTF-8"',
    'application/json;charset=utf-8',
  ])('accepts a body of type %s', async (type) => {
    expect((await gateway.post(chains, { 'content-type': type })).status).toBe(200)
  })

  it('allows cross-origin reads, but without credentials', async () => {
    const origin = { origin: 'https://example.org' }
    const asked = await get('/graphql', {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    for (const response of [asked, await gateway.post(chains, origin), await get('/ready')]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })
})

describe('GraphiQL', () => {
  const page = (headers: Record<string, string> = {}) =>
    get('/graphql', { headers: { accept: 'text/html,*/*', ...headers } })

  it('is one self-contained page with examples for this gateway', async () => {
    const response = await page({ 'accept-encoding': 'identity' })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    const html = await response.text()
    expect(html).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="?(https?:)?\/\//)
    const [, json = ''] = /querySelector\('#root'\),\s*(\{.*\}),\s*\);/.exec(html) ?? []
    const { defaultTabs } = JSON.parse(json) as { defaultTabs: { query: string }[] }
    expect(defaultTabs.length).toBeGreaterThan(2)
    for (const { query } of defaultTabs) {
      const isLive = query.includes('subscription ')
      const answer = isLive
        ? await gateway
            .post({ query }, { accept: 'text/event-stream' })
            .then((stream) => readEventStream(stream).next())
            .then(({ value }) => value?.data)
        : await gateway.query(query)
      expect(answer).toEqual({ data: expect.anything() })
    }
    expect(html).toContain('"subscriptionsProtocol":"SSE"')
    const overSockets = await get('/graphql?subscriptions=ws', { headers: { accept: 'text/html' } })
    expect(await overSockets.text()).toContain('"subscriptionsProtocol":"WS"')
  })

  it('is compressed, and compressed only once', async () => {
    const zipped = await page({ 'accept-encoding': 'gzip' })
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    const brotli = await page({ 'accept-encoding': 'gzip, br' })
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(Number(brotli.headers.get('content-length'))).toBeLessThan(3_000_000)
    expect((await page({ 'accept-encoding': 'br;q=0' })).headers.get('content-encoding')).toBeNull()
    const etag = brotli.headers.get('etag') ?? ''
    const again = await page({ 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})

describe('closing the gateway', () => {
  it('completes requests in progress and then closes their connections', async () => {
    let release = () => {}
    const asked = new Promise<void>((asked) => {
      release = asked
    })
    let arrived = () => {}
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const slow = await serveGateway({
      price: async () => {
        arrived()
        await asked
        return cannedPrice
      },
    })
    const answer = slow.query('query ($i: PriceInput!) { price(input: $i) { details { rate } } }', {
      i: crossChainInput,
    })
    await underWay
    const closed = slow.close()
    await expect(fetch(`${slow.url}/health`)).rejects.toThrow()
    release()
    expect(await answer).toEqual({ data: { price: { details: { rate: '2990' } } } })
    await closed
  })
})
