import { once } from 'node:events'
import { createConnection } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { type LiveGateway, serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { idOf } from '#test/support/store/storeModel.ts'

let gateway: LiveGateway
beforeEach(async () => {
  const hanging = { price: () => new Promise<never>(() => {}) }
  gateway = await serveLiveGateway({ most: 20, deadlineSeconds: 0.2 }, hanging)
  gateway.model.put(idOf(1))
})
afterEach(() => gateway.close())

const watch = `subscription { requestStatus(requestId: "${idOf(1)}") { seq } }`

async function openSocket(protocol = 'graphql-transport-ws') {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, protocol)
  const messages: { id?: string; type: string; payload?: unknown }[] = []
  socket.on('message', (bytes) => messages.push(JSON.parse(bytes.toString())))
  await once(socket, 'open')
  const send = (message: object) => socket.send(JSON.stringify(message))
  return { socket, messages, send }
}

async function openReadySocket(payload?: object) {
  const opened = await openSocket()
  opened.send({ type: 'connection_init', payload })
  await vi.waitUntil(() => opened.messages.shift()?.type === 'connection_ack', patience)
  return opened
}

describe('a WebSocket at /graphql', () => {
  it('also answers queries, with the same errors as HTTP', async () => {
    const { send, messages, socket } = await openReadySocket()
    send({ id: 'a', type: 'subscribe', payload: { query: '{ chains { chainId } }' } })
    await vi.waitUntil(() => messages.length === 2, patience)
    expect(messages.splice(0)).toEqual([
      {
        id: 'a',
        type: 'next',
        payload: { data: { chains: [{ chainId: 990001 }, { chainId: 990002 }] } },
      },
      { id: 'a', type: 'complete' },
    ])
    for (const [query, code] of [
      ['{ nothing }', 'INVALID_REQUEST'],
      ['{', 'INVALID_REQUEST'],
      [`{ ${'chains { id } '.repeat(101)} }`, 'QUERY_TOO_COMPLEX'],
    ]) {
      send({ id: 'b', type: 'subscribe', payload: { query } })
      await vi.waitUntil(() => messages.length === 1, patience)
      expect(messages.splice(0)).toMatchObject([
        { id: 'b', type: 'error', payload: [{ extensions: { code, statusCode: 400 } }] },
      ])
    }
    socket.close()
  })

  it('is not subject to the deadline of operations', async () => {
    const { send, messages, socket } = await openReadySocket()
    send({ id: 'a', type: 'subscribe', payload: { query: watch } })
    await vi.waitUntil(() => messages.length === 1, patience)
    const events = readEventStream(
      await gateway.post({ query: watch }, { accept: 'text/event-stream' }),
    )
    await events.next()
    const price = 'query ($i: PriceInput!) { price(input: $i) { details { rate } } }'
    send({
      id: 'b',
      type: 'subscribe',
      payload: { query: price, variables: { i: crossChainInput } },
    })
    await vi.waitUntil(
      () => messages.at(-1)?.id === 'b' && messages.at(-1)?.type === 'complete',
      patience,
    )
    expect(messages.at(-2)?.payload).toMatchObject({
      errors: [{ extensions: { code: 'REQUEST_TIMED_OUT' } }],
    })
    gateway.change(idOf(1), 'success')
    await vi.waitUntil(
      () => messages.at(-1)?.id === 'a' && messages.at(-1)?.type === 'complete',
      patience,
    )
    expect((await events.next()).value).toMatchObject({
      data: { data: { requestStatus: { seq: 1 } } },
    })
    socket.close()
  })
  it('rejects other subprotocols, and messages that are too long or malformed', async () => {
    const bad = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-ws')
    await once(bad, 'error')
    const { socket } = await openReadySocket()
    socket.send('x'.repeat(300_000))
    expect((await once(socket, 'close'))[0]).toBe(1009)
    const other = await openReadySocket()
    other.socket.send('{"type":')
    expect((await once(other.socket, 'close'))[0]).toBe(4400)
  })

  it('limits the number of concurrent operations', async () => {
    const { send, messages, socket } = await openReadySocket()
    for (let id = 0; id <= 100; id += 1)
      send({ id: `${id}`, type: 'subscribe', payload: { query: watch } })
    await vi.waitUntil(() => messages.length === 101, patience)
    expect(messages.filter(({ type }) => type === 'error')).toMatchObject([
      { payload: [{ message: 'A connection can have at most 100 operations at a time' }] },
    ])
    expect(gateway.hub.subscribers()).toBe(100)
    socket.terminate()
    await vi.waitUntil(() => gateway.hub.subscribers() === 0, patience)
  })
})

describe('a server that shuts down', () => {
  it('ends subscriptions so that clients reconnect', async () => {
    const { send, messages, socket } = await openReadySocket()
    send({ id: 'a', type: 'subscribe', payload: { query: watch } })
    await vi.waitUntil(() => messages.length === 1, patience)
    const response = await gateway.post({ query: watch }, { accept: 'text/event-stream' })
    const events: string[] = []
    const reading = (async () => {
      for await (const { event } of readEventStream(response)) events.push(event)
    })()
    await vi.waitUntil(() => events.length === 1, patience)
    const [[code]] = await Promise.all([once(socket, 'close'), gateway.close(), reading])
    expect(code).toBe(1012)
    expect(events).toEqual(['next'])
    expect(gateway.hub.subscribers()).toBe(0)
  })
})

describe('a subscriber that stops reading', () => {
  /** Selects enough fields to make events long, so that the buffers fill quickly. */
  const long = `subscription { requestStatus(requestId: "${idOf(1)}") { seq ${Array.from({ length: 40 }, (_, at) => `a${at}: inTxHashes`).join(' ')} } }`

  it('does not delay others and is disconnected', async () => {
    const { port } = new URL(gateway.url)
    const body = JSON.stringify({ query: long })
    const stalled = createConnection({ port: Number(port), host: '127.0.0.1' })
    stalled.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await once(stalled, 'data')
    stalled.pause()
    const { send, messages, socket } = await openReadySocket()
    send({ id: 'a', type: 'subscribe', payload: { query: watch } })
    await vi.waitUntil(() => messages.length === 1 && gateway.hub.subscribers() === 2, patience)
    let changes = 0
    while (gateway.hub.subscribers() === 2) {
      gateway.change(idOf(1), 'pending', 5_000)
      changes += 1
      await vi.waitUntil(() => messages.length === changes + 1, { ...patience, interval: 1 })
      expect(changes).toBeLessThan(1_000)
    }
    expect(gateway.hub.subscribers()).toBe(1)
    expect(messages.map(({ payload }) => payload)).toEqual(
      Array.from({ length: changes + 1 }, (_, seq) => ({ data: { requestStatus: { seq } } })),
    )
    stalled.destroy()
    socket.close()
  })
})
