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
const [follows, others] = [true, false].map((isFollow) =>
  subscriptions.filter(({ text }) => text.includes('0x…') === isFollow),
) as [typeof subscriptions, typeof subscriptions]

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

/** The first event of a subscription by server-sent events. */
async function firstEvent(query: string): Promise<unknown> {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  })
  const events = readEventStream(response)
  const first = await events.next()
  await events.return()
  return first.value?.data
}

it.each(others)('$name', async ({ text }) => {
  const first = await firstEvent(text)
  expect(first).not.toHaveProperty('errors')
  expect(first).not.toHaveProperty('data.price.failure.code')
})

it.each(follows)('$name', async ({ text }) => {
  const quote = queries.find((each) => each.text.startsWith('query FirstQuote'))?.text ?? ''
  const { data } = await stack.query(quote)
  const { requestId } = (data as { quote: { requestId: string } }).quote
  const first = await firstEvent(text.replace('0x…', requestId))
  expect(first).toMatchObject({ data: { requestStatus: { status: 'waiting' } } })
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
  expect(follows.length).toBeGreaterThanOrEqual(1)
  expect(others.length).toBeGreaterThanOrEqual(1)
  expect(curls.length).toBeGreaterThanOrEqual(9)
})
