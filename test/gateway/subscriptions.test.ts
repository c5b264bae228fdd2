import { once } from 'node:events'
import { createConnection } from 'node:net'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { idOf } from '#test/support/store/storeModel.ts'

let gateway: LiveGateway
let ids = 0
beforeAll(async () => {
  gateway = await serveLiveGateway()
})
afterAll(() => gateway.close())

/** Stores a new request for one test. */
const newRequest = (): `0x${string}` => {
  ids += 1
  gateway.model.put(idOf(ids))
  return idOf(ids)
}

const watch =
  'subscription Watch($id: RequestId!, $after: Int) { requestStatus(requestId: $id, after: $after) { seq status steps { name items { status } } } }'

type StatusEvent = { data?: { requestStatus: { seq: number; status: string } }; errors?: object[] }

async function* bySse(variables: object, query = watch): AsyncGenerator<StatusEvent> {
  const response = await gateway.post({ query, variables }, { accept: 'text/event-stream' })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ])
  for await (const { event, data } of readEventStream(response)) {
    if (event === 'complete') return
    yield data as StatusEvent
  }
  throw new Error('The stream ends without its last word')
}

async function all(events: AsyncIterable<StatusEvent>): Promise<StatusEvent[]> {
  const received: StatusEvent[] = []
  for await (const each of events) received.push(each)
  return received
}

const socketUrl = () => `${gateway.url.replace('http', 'ws')}/graphql`
const clientOf = (connectionParams: Record<string, unknown> = {}): Client =>
  createClient({ url: socketUrl(), webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 })

async function* bySocket(variables: object, query = watch): AsyncGenerator<StatusEvent> {
  const client = clientOf()
  try {
    yield* client.iterate({ query, variables: { ...variables } }) as AsyncIterable<StatusEvent>
  } finally {
    await client.dispose()
  }
}

describe.each([
  ['server-sent events', bySse],
  ['WebSocket', bySocket],
])('over %s', (_, watchBy) => {
  it('a subscriber gets the current status at once, then every change, and then the end of the stream', async () => {
    const id = newRequest()
    const events = watchBy({ id })
    expect((await events.next()).value).toEqual({
      data: {
        requestStatus: {
          seq: 0,
          status: 'waiting',
          steps: [
            { name: 'APPROVE', items: [{ status: 'waiting' }] },
            { name: 'DEPOSIT', items: [{ status: 'waiting' }] },
          ],
        },
      },
    })
    for (const status of ['pending', 'submitted', 'success'] as const) gateway.change(id, status)
    const received: unknown[] = []
    for await (const { data } of events)
      received.push([data?.requestStatus.seq, data?.requestStatus.status])
    expect(received).toEqual([
      [1, 'pending'],
      [2, 'submitted'],
      [3, 'success'],
    ])
    const again: unknown[] = []
    for await (const { data } of watchBy({ id: id.toUpperCase().replace('X', 'x'), after: 1 }))
      again.push(data?.requestStatus.seq)
    expect(again).toEqual([2, 3])
    expect(gateway.hub.subscribers()).toBe(0)
  })

  it('a subscriber gets the error with its code', async () => {
    const unknown = await all(watchBy({ id: idOf(999_999) }))
    expect(unknown).toEqual([
      {
        errors: [
          {
            message: `Unknown request ${idOf(999_999)}`,
            extensions: { code: 'UNKNOWN_REQUEST', statusCode: 404 },
            locations: [expect.anything()],
            path: ['requestStatus'],
          },
        ],
      },
    ])
  })

  it('a subscriber that disconnects early is removed', async () => {
    const events = watchBy({ id: newRequest() })
    await events.next()
    expect(gateway.hub.subscribers()).toBe(1)
    await events.return(undefined)
    await vi.waitUntil(() => gateway.hub.subscribers() === 0, patience)
  })
})

describe('an invalid subscription', () => {
  it('gets the same error over server-sent events as a query does', async () => {
    const [bad] = await all(bySse({ id: '0x12' }))
    expect(bad?.errors).toMatchObject([
      { extensions: { code: 'INVALID_REQUEST', issues: [{ path: ['requestId'] }] } },
    ])
  })
})

it('an HTTP/1.0 client gets events without chunked encoding', async () => {
  const id = newRequest()
  const body = JSON.stringify({ query: watch, variables: { id } })
  const socket = createConnection(Number(new URL(gateway.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.write(
    `POST /graphql HTTP/1.0\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await vi.waitUntil(() => text.includes('"waiting"'), patience)
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toMatch(
    /^:\n\nevent: next\ndata: \{"data":.*\}\n\n$/,
  )
})
