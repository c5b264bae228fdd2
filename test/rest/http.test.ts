import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway()
})
afterAll(async () => {
  expect(gateway.logged).toEqual([])
  await gateway.close()
})

const ask = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init)

const posts = [
  '/price',
  '/quote/v2',
  '/currencies/v2',
  '/transactions/index',
  '/transactions/single',
]
const gets = ['/chains', '/currencies/token/price', '/swap-sources', '/intents/status/v3']
const pages = ['/openapi.json', '/docs']

describe('cross-origin requests', () => {
  it.each([...posts, ...gets, ...pages])('are allowed for %s from every origin', async (path) => {
    const response = await ask(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': posts.includes(path) ? 'POST' : 'GET',
        'access-control-request-headers': 'content-type,x-api-key,relay-sdk-version',
      },
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': posts.includes(path) ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'content-type, x-api-key, *',
      'access-control-max-age': '86400',
    })
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may read answers and errors, but without credentials', async () => {
    for (const path of ['/chains', '/swap-sources?chainId=x', '/price', '/docs']) {
      const response = await ask(path, { headers: { origin: 'https://app.example' } })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })
})

describe('HTTP methods', () => {
  it.each(posts)('accept only POST for %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const response = await ask(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
    expect(await (await ask(path)).json()).toEqual({
      message: `${path} accepts POST, OPTIONS`,
      errorCode: 'METHOD_NOT_ALLOWED',
      statusCode: 405,
    })
  })

  it.each(gets)('accept only GET and HEAD for %s', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await ask(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
    const head = await ask(`${path}?chainId=990001&address=0x${'0'.repeat(40)}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([path.includes('price') ? 200 : 400, ''])
  })

  it('and paths must match exactly', async () => {
    for (const path of [
      '/price/',
      '/Price',
      '/quote',
      '/quote/v2/',
      '/docs/',
      '/docs/..%2fpackage.json',
      '/docs/swagger-ui.js',
    ])
      expect((await ask(path)).status).toBe(404)
  })
})

it('the gateway counts requests by operation, code and executor', async () => {
  const own = await serveGateway()
  const post = (path: string, body: string) =>
    fetch(`${own.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  await post('/quote/v2', JSON.stringify(crossChainInput))
  await post('/quote/v2', '{}')
  await fetch(`${own.url}/swap-sources`)
  await fetch(`${own.url}/swap-sources`, { method: 'OPTIONS' })
  await fetch(`${own.url}/swap-sources`, { method: 'DELETE' })
  const text = await (await fetch(`${own.url}/metrics`)).text()
  await own.close()
  expect(text.match(/_count\{.*lane="rest"\} \d+/g)).toMatchInlineSnapshot(`
    [
      "_count{operation="quote",code="OK",lane="rest"} 1",
      "_count{operation="quote",code="INVALID_REQUEST",lane="rest"} 1",
      "_count{operation="swapSources",code="OK",lane="rest"} 1",
      "_count{operation="swapSources",code="METHOD_NOT_ALLOWED",lane="rest"} 1",
    ]
  `)
})

describe('/docs', () => {
  it('is a self-contained page', async () => {
    const page = await ask('/docs', { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatchInlineSnapshot(
      `"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"`,
    )
    const html = await page.text()
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).toMatchInlineSnapshot(`
      [
        "/docs/swagger-ui.css",
        "/docs/favicon-32x32.png",
        "/docs/swagger-ui-bundle.js",
        "/docs/start.js",
      ]
    `)
    for (const link of links) {
      const asset = await ask(link)
      expect([link, asset.status, asset.headers.get('cache-control')]).toEqual([
        link,
        200,
        'public, max-age=3600',
      ])
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  it('shows the document of this gateway, and loads nothing from other hosts', async () => {
    const start = await (await ask('/docs/start.js')).text()
    const bundle = await ask('/docs/swagger-ui-bundle.js', {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(bundle.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const given: Record<string, unknown>[] = []
    const run = new Function('SwaggerUIBundle', 'window', start)
    run((options: Record<string, unknown>) => given.push(options), {})
    expect(given).toMatchInlineSnapshot(`
      [
        {
          "deepLinking": true,
          "defaultModelsExpandDepth": 0,
          "dom_id": "#swagger-ui",
          "url": "/openapi.json",
          "validatorUrl": null,
        },
      ]
    `)
    const types = ['/docs/swagger-ui.css', '/docs/favicon-32x32.png'].map(async (path) =>
      (await ask(path)).headers.get('content-type'),
    )
    expect(await Promise.all(types)).toEqual(['text/css; charset=utf-8', 'image/png'])
  })

  it('is compressed, and compressed only once', async () => {
    const whole = await ask('/docs/swagger-ui-bundle.js', { headers: { 'accept-encoding': 'br' } })
    expect(whole.headers.get('content-encoding')).toBe('br')
    expect(Number(whole.headers.get('content-length'))).toBeLessThan(600_000)
    for (const path of ['/docs/swagger-ui-bundle.js', '/docs', '/openapi.json']) {
      const etag = (await ask(path)).headers.get('etag') ?? ''
      const again = await ask(path, { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  })
})
