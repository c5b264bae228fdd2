import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway()
})
afterAll(() => gateway.close())

const failed = async (): Promise<string[]> => {
  const audits = serverAudits({ url: `${gateway.url}/graphql` })
  expect(audits).toHaveLength(61)
  const results = []
  for (const audit of audits) results.push(await audit.fn())
  return results.flatMap((result) =>
    result.status === 'ok' ? [] : [`${result.name}: ${result.reason}`],
  )
}

it('the gateway passes all GraphQL-over-HTTP audits, first through Yoga and then through the compiled executor', async () => {
  expect(await failed()).toEqual([])
  const before = await gateway.compiledAnswers()
  expect(await failed()).toEqual([])
  expect((await gateway.compiledAnswers()) - before).toBeGreaterThan(10)
})
