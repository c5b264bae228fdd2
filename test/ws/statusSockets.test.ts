import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  acknowledged,
  event,
  idOf,
  openSocket,
  subscribe,
  watchOf,
  watchRequest,
} from '#test/support/clients/socketClient.ts'
import { answerOf, filledStates, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway({ watchRequest })
})
afterAll(() => gateway.close())

const open = () => openSocket(`${gateway.url}/ws`)

describe('a client of /ws', () => {
  it('gets each change of a request once', async () => {
    const id = idOf(1)
    const client = await open()
    expect(await client.next()).toEqual({
      type: 'connection',
      status: 'ready',
      data: { id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    })
    client.send(subscribe(id))
    expect(await client.next()).toEqual(acknowledged(id))
    const messages: unknown[] = []
    for (const state of filledStates.slice(1)) {
      watchOf(id).put(answerOf(state, { requestId: id }))
      // This change is not part of the status: another step was seen.
      watchOf(id).put(answerOf({ ...state, seq: 9, updatedAt: 1 }, { requestId: id }))
      messages.push(await client.next())
    }
    watchOf(id).end()
    expect(messages.map((each) => (each as { data: { status: string } }).data.status)).toEqual([
      'waiting',
      'pending',
      'submitted',
      'success',
    ])
    expect(messages.at(-1)).toEqual({
      event,
      timestamp: expect.any(Number),
      data: {
        status: 'success',
        inTxHashes: stateAt(4).inTxHashes,
        txHashes: stateAt(4).txHashes,
        updatedAt: stateAt(4).updatedAt,
        originChainId: 990001,
        destinationChainId: 990002,
        requestId: id,
        referrer: 'a frontend',
        details: null,
        failReason: 'N/A',
        refundFailReason: 'N/A',
      },
    })
    client.send({ type: 'unsubscribe', event })
    expect(await client.next()).toEqual({ type: 'unsubscribe', status: 'success', data: { event } })
  })

  it('gets the current status at once if the request has already changed', async () => {
    const client = await open()
    await client.next()
    const id = idOf(2)
    client.send(subscribe(id))
    await client.next()
    watchOf(id).put(answerOf(stateAt(3), { requestId: id }))
    await client.next()
    // Subscribes again, as after a lost connection.
    const late = await open()
    await late.next()
    late.send(subscribe(id))
    await late.next()
    watchOf(id).put(answerOf(stateAt(3), { requestId: id }))
    expect(await late.next()).toMatchObject({ data: { status: 'submitted' } })
  })

  it('can unsubscribe from one request or from all', async () => {
    const client = await open()
    await client.next()
    for (const id of [idOf(11), idOf(12), idOf(13)]) {
      client.send(subscribe(id))
      await client.next()
    }
    const ended = () => [idOf(11), idOf(12), idOf(13)].map((id) => watchOf(id).hasEnded())
    client.send({ type: 'unsubscribe', event, filters: { id: idOf(12) } })
    expect(await client.next()).toMatchObject({ data: { filters: { id: idOf(12) } } })
    expect(ended()).toEqual([false, true, false])
    watchOf(idOf(12)).put(answerOf(stateAt(3)))
    client.send({ type: 'unsubscribe', event })
    await client.next()
    expect(ended()).toEqual([true, true, true])
    expect(client.unread).toEqual([])
  })

  it('is unsubscribed from all requests when it disconnects', async () => {
    const opened = async () => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text()
      return Number(/_subscriptions\{transport="\/ws"\} (\d+)/.exec(text)?.[1])
    }
    await vi.waitFor(async () => expect(await opened()).toBe(0), patience)
    const client = await open()
    client.send(subscribe(idOf(21)))
    await client.next()
    await client.next()
    expect(await opened()).toBe(1)
    client.socket.close()
    await vi.waitFor(() => expect(watchOf(idOf(21)).hasEnded()).toBe(true), patience)
    await vi.waitFor(async () => expect(await opened()).toBe(0), patience)
  })

  it('may subscribe again, which restarts the subscription', async () => {
    const client = await open()
    await client.next()
    const id = idOf(31)
    client.send(subscribe(id))
    await client.next()
    const first = watchOf(id)
    client.send(subscribe(id))
    expect(await client.next()).toEqual(acknowledged(id))
    expect([first.hasEnded(), watchOf(id).hasEnded()]).toEqual([true, false])
    first.put(answerOf(stateAt(2)))
    watchOf(id).put(answerOf(stateAt(3)))
    expect(await client.next()).toMatchObject({ data: { status: 'submitted' } })
    expect(client.unread).toEqual([])
  })

  it('can subscribe to at most 100 requests', async () => {
    const client = await open()
    await client.next()
    for (let at = 1_000; at < 1_100; at += 1) {
      client.send(subscribe(idOf(at)))
      expect(await client.next()).toEqual(acknowledged(idOf(at)))
    }
    client.send(subscribe(idOf(1_100)))
    expect(await client.next()).toMatchObject({
      status: 'error',
      data: {
        message: 'A connection can follow at most 100 requests',
        errorCode: 'INVALID_REQUEST',
        filters: { id: idOf(1_100) },
      },
    })
    client.send({ type: 'unsubscribe', event, filters: { id: idOf(1_000) } })
    await client.next()
    client.send(subscribe(idOf(1_100)))
    expect(await client.next()).toEqual(acknowledged(idOf(1_100)))
  })
})

describe('a message', () => {
  it.each([
    ['{', /^The body is not valid JSON/],
    ['5', 'The type of a message is subscribe or unsubscribe'],
    [{}, 'type: The type of a message is subscribe or unsubscribe'],
    [{ type: 'subscribe' }, 'event: The only event is request.status.updated; filters: Required'],
    [subscribe('0x12'), 'filters.id: Must be 0x and 64 hexadecimal digits'],
    [
      { type: 'subscribe', event, filters: { id: idOf(1), user: '0x' } },
      'filters.user: Unknown field',
    ],
  ])('%j is rejected, and the connection stays open', async (message, text) => {
    const client = await open()
    await client.next()
    client.send(message)
    const answer = (await client.next()) as { data: { message: string } }
    expect(answer).toMatchObject({
      type: 'error',
      status: 'error',
      data: { errorCode: 'INVALID_REQUEST', statusCode: 400 },
    })
    expect(answer.data.message).toMatch(text)
    client.send(subscribe(idOf(404)))
    expect(await client.next()).toEqual({
      type: 'subscribe',
      status: 'error',
      data: {
        event,
        filters: { id: idOf(404) },
        message: `Unknown request ${idOf(404)}`,
        errorCode: 'UNKNOWN_REQUEST',
        statusCode: 404,
      },
    })
  })

  it('that is too long or not text closes the connection', async () => {
    const long = await open()
    long.send('x'.repeat(5_000))
    expect(await long.closed).toBe(1009)
    const binary = await open()
    binary.socket.send(Buffer.from('{}'))
    expect(await binary.closed).toBe(1003)
  })
})
