import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await stack.stop()
})

const operations = codeBlocks('graphql').map(({ document, text }) => ({
  name: `${document}: ${/^\w+ \w+/.exec(text)?.[0] ?? text}`,
  text,
}))
const queries = operations.filter(({ text }) => text.startsWith('query'))
const subscriptions = operations.filter(({ text }) => text.startsWith('subscription'))

/** Single curl commands, which may go over several lines, and need nothing that came before. */
const curls = codeBlocks('sh').flatMap(({ document, text }) =>
  text
    .split(/\n(?=curl )/)
    .filter((command) => command.startsWith('curl ') && command.includes('localhost:4000'))
    .map((command) => ({ name: `${document}: ${command.slice(0, 70)}`, command })),
)

it.each(queries)('$name', async ({ text }) => {
  expect((await stack.query(text)).errors).toBeUndefined()
})

it.each(subscriptions)('$name', async ({ text }) => {
  const quote = queries.find((each) => each.text.startsWith('query FirstQuote'))?.text ?? ''
  const { data } = await stack.query(quote)
  const { requestId } = (data as { quote: { requestId: string } }).quote
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: text.replace('0x…', requestId) }),
  })
  const events = readEventStream(response)
  const first = (await events.next()).value?.data as { data: { requestStatus: unknown } }
  expect(first.data.requestStatus).toMatchObject({ status: 'waiting' })
  await events.return()
})

it.each(curls)('$name', async ({ command }) => {
  const script = command.replaceAll('localhost:4000', new URL(stack.url).host)
  const { stdout } = await promisify(execFile)('bash', ['-ec', script])
  const answer = JSON.parse(stdout)
  expect(answer).not.toHaveProperty('errors')
  expect(answer).not.toHaveProperty('errorCode')
})

it('finds the examples of every kind', () => {
  expect(queries.length).toBeGreaterThanOrEqual(3)
  expect(subscriptions.length).toBeGreaterThanOrEqual(1)
  expect(curls.length).toBeGreaterThanOrEqual(9)
})
