import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway()
})
afterAll(() => gateway.close())

const get = (parameters: Readonly<Record<string, string>>, accept: string) =>
  fetch(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`, { headers: { accept } })

const chains = { query: '{ chains { chainId } }' }

it.each([
  ['variables', '{', 'application/json'],
  ['extensions', 'x', 'application/graphql-response+json'],
  ['variables', 'x', 'text/event-stream'],
])('%s that are no JSON are named (%s, %s)', async (name, text, accept) => {
  const response = await get({ ...chains, [name]: text }, accept)
  expect(response.status).toBe(400)
  const [error] = (await response.json()).errors
  expect(error.message).toMatch(new RegExp(`^${name}: Not valid JSON`))
  expect(error.extensions).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path: [name] }] })
})

it('empty parameters count as absent', async () => {
  const empty = { variables: '', extensions: '', operationName: '' }
  const response = await get({ ...chains, ...empty }, 'application/json')
  expect(await response.json()).toHaveProperty('data.chains.0.chainId', 990001)
})
