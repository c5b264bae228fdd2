import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { routeUpgrades } from '#src/gateway/http/webSockets.ts'
import { createMeters } from '#src/gateway/limits/meter.ts'
import { addLimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import { createStatusSockets } from '#src/gateway/ws/statusSockets.ts'
import {
  idOf,
  openSocket,
  subscribe,
  watchOf,
  watchRequest,
} from '#test/support/clients/socketClient.ts'
import { answerOf, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'

let gateway: ServedGateway
beforeAll(async () => {
  gateway = await serveGateway({ watchRequest })
})
afterAll(() => gateway.close())

const open = (url = `${gateway.url}/ws`) => openSocket(url)

describe('a connection', () => {
  it('closes when a subscription fails, so that the client reconnects', async () => {
    const id = idOf(41)
    const client = await open()
    await client.next()
    client.send(subscribe(id))
    await client.next()
    watchOf(id).fail(new AppError('SERVICE_UNAVAILABLE', 'The database does not answer'))
    expect(await client.next()).toMatchObject({ data: { errorCode: 'SERVICE_UNAVAILABLE' } })
    expect(await client.closed).toBe(1013)
  })

  it('reveals nothing of an internal error, which is logged', async () => {
    const id = idOf(42)
    const client = await open()
    await client.next()
    client.send(subscribe(id))
    await client.next()
    watchOf(id).fail(new TypeError('password in the message'))
    const answer = await client.next()
    expect(answer).toMatchObject({ data: { errorCode: 'UNKNOWN_ERROR', statusCode: 500 } })
    expect(JSON.stringify(answer)).not.toMatch(/password/)
    expect(gateway.logged.at(-1)).toMatchObject({ msg: 'A status subscription failed' })
  })

  it('remains an HTTP connection unless it is upgraded at the right path', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/elsewhere`)
    const [error] = await once(socket, 'error')
    expect(error.message).toBe('Unexpected server response: 404')
  })
})

/** Serves only the status sockets, on their own server. */
async function serveSockets(
  options: { heartbeatSeconds: number; maxUnreadBytes: number },
  beginTurn: () => Promise<void> = async () => {},
) {
  const statusSockets = createStatusSockets(
    {
      operations: { watchRequest },
      log: createLog('silent'),
      metrics: { openSubscription: () => () => {}, limits: addLimitMetrics(new Registry()) },
    },
    {
      proxies: 0,
      meterOf: createMeters(beginTurn, undefined),
      admits: () => true,
      ...options,
    },
  )
  const server = createServer()
  routeUpgrades(server, new Map([['/ws', statusSockets]]))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { statusSockets, port, url: `http://127.0.0.1:${port}/ws` }
}

/** Upgrades a connection and then reads nothing. */
async function openUnresponsive(port: number) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    [
      'GET /ws HTTP/1.1',
      'host: x',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  socket.pause()
  return socket
}

/** Encodes a frame as a client does: masked, here with a zero key. */
const frame = (text: string) =>
  Buffer.concat([
    Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]),
    Buffer.from(text),
  ])

describe('the status socket server', () => {
  it('disconnects a client that does not read', async () => {
    const { port } = await serveSockets({ heartbeatSeconds: 600, maxUnreadBytes: 65_536 })
    const deaf = await openUnresponsive(port)
    const id = idOf(51)
    deaf.write(frame(JSON.stringify(subscribe(id))))
    await vi.waitFor(() => expect(watchOf(id)).toBeDefined(), patience)
    const watch = watchOf(id)
    let put = 0
    // The kernel buffers some megabytes before this process does.
    while (!watch.hasEnded() && put < 100_000) {
      put += 1
      watch.put(answerOf({ ...stateAt(3), seq: put, txHashes: [idOf(put)] }, { requestId: id }))
      if (put % 100 === 0) await new Promise(setImmediate)
    }
    expect(watch.hasEnded()).toBe(true)
  })

  it('disconnects a client that answers no ping, and keeps one that does', async () => {
    const { port, url } = await serveSockets({ heartbeatSeconds: 0.5, maxUnreadBytes: 65_536 })
    const client = await open(url)
    const deaf = await openUnresponsive(port)
    const gone = once(deaf, 'close')
    deaf.resume()
    await gone
    let pings = 0
    client.socket.on('ping', () => {
      pings += 1
    })
    await vi.waitFor(() => expect(pings).toBeGreaterThan(1), patience)
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('follows no request for a client that has left before its turn', async () => {
    const turn = Promise.withResolvers<void>()
    let waiting = 0
    const beginTurn = () => {
      waiting += 1
      return turn.promise
    }
    const { url } = await serveSockets({ heartbeatSeconds: 600, maxUnreadBytes: 65_536 }, beginTurn)
    const [client, other] = [await open(url), await open(url)]
    client.send(subscribe(idOf(53)))
    await vi.waitFor(() => expect(waiting).toBe(1), patience)
    client.socket.close()
    await client.closed
    other.send(subscribe(idOf(54)))
    await vi.waitFor(() => expect(waiting).toBe(2), patience)
    turn.resolve()
    await vi.waitFor(() => expect(watchOf(idOf(54))).toBeDefined(), patience)
    expect(() => watchOf(idOf(53))).toThrow()
  })

  it('announces its shutdown, and does not wait for unresponsive clients', async () => {
    const { statusSockets, port, url } = await serveSockets({
      heartbeatSeconds: 600,
      maxUnreadBytes: 1e6,
    })
    const client = await open(url)
    const deaf = await openUnresponsive(port)
    client.send(subscribe(idOf(61)))
    await client.next()
    await client.next()
    await statusSockets.close()
    expect(await client.closed).toBe(1012)
    expect(watchOf(idOf(61)).hasEnded()).toBe(true)
    deaf.destroy()
    const late = connect(port, '127.0.0.1')
    late.write('GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    await once(late, 'close')
  })
})
