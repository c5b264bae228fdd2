import { afterEach, expect, it } from 'vitest'
import { createRateLimiter } from '#src/gateway/limits/rateLimiter.ts'
import { OverloadedError } from '#src/service/limits/overloadedError.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
afterEach(() => gateway.close())

const limiter = createRateLimiter(
  {
    log: { warn: () => undefined },
    identify: () => undefined,
    metrics: { countLimited: () => undefined, countFallback: () => undefined },
  },
  { addressUnits: 100, keyUnits: 100, windowSeconds: 60 },
)

it.each([
  ['without', undefined],
  ['with', limiter],
])('no request is worked on before its turn, %s rate limits', async (_, rateLimiter) => {
  const asked: string[] = []
  gateway = await serveGateway(
    {
      beginTurn: async ({ network }) => {
        asked.push(network)
        throw new OverloadedError()
      },
    },
    { deadlineSeconds: 10, rateLimiter },
  )
  const { errors } = await gateway.query('{ chains { id } }', {})
  const rest = await fetch(`${gateway.url}/price`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(crossChainInput),
  })
  expect([errors?.[0]?.extensions['code'], rest.status, rest.headers.get('retry-after')]).toEqual([
    'OVERLOADED',
    503,
    '1',
  ])
  expect(asked).toEqual(['127.0.0.1', '127.0.0.1'])
})
