import { randomBytes } from 'node:crypto'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeSockets } from '#src/gateway/http/closeSockets.ts'
import type { SocketFace } from '#src/gateway/http/webSockets.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { createSubscriptions } from './createSubscriptions.ts'

type Deps = Readonly<{
  operations: Pick<Operations, 'watchRequest'>
  log: Log
  metrics: Pick<Metrics, 'openSubscription'>
}>

type Options = Readonly<{
  /** Between pings; who has answered none by the next one is gone. */
  heartbeatSeconds: number
  /** What may wait for a client to read it: about 400 events. */
  mostUnreadBytes: number
}>

/** A subscription has about 150. */
const mostMessageBytes = 4_096

/** By RFC 6455, and its registry. */
const closeCode = { unsupportedData: 1003, tryAgainLater: 1013 }

/** The WebSocket of existing clients: tells how requests stand. */
export function createStatusSockets(
  { operations, log, metrics }: Deps,
  { heartbeatSeconds, mostUnreadBytes }: Options = {
    heartbeatSeconds: 30,
    mostUnreadBytes: 262_144,
  },
): SocketFace {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: mostMessageBytes,
  })
  const answering = new WeakSet<WebSocket>()

  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!answering.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, heartbeatSeconds * 1_000).unref()

  const serve = (socket: WebSocket): void => {
    const send = (message: object): void => {
      if (socket.readyState !== socket.OPEN) return
      // It reads nothing any more, a closing message included.
      if (socket.bufferedAmount > mostUnreadBytes) socket.terminate()
      else socket.send(JSON.stringify(message))
    }
    const giveUp = () => socket.close(closeCode.tryAgainLater)
    const subscriptions = createSubscriptions({ operations, log, metrics, send, giveUp })
    const isAnswering = () => answering.add(socket)

    socket.on('message', (bytes, isBinary) => {
      if (isBinary) return socket.close(closeCode.unsupportedData, 'Messages are text')
      return void subscriptions.take(bytes.toString())
    })
    socket.on('pong', isAnswering)
    socket.on('close', subscriptions.endAll)
    // Such as a frame that is too long: the socket closes itself.
    socket.on('error', (error) => log.debug({ err: error }, 'A WebSocket failed'))
    isAnswering()
    send({ type: 'connection', status: 'ready', data: { id: randomBytes(8).toString('hex') } })
  }

  let closing = false

  return {
    upgrade: (request, socket, head) => {
      if (closing) socket.destroy()
      else server.handleUpgrade(request, socket, head, serve)
    },
    close: async () => {
      closing = true
      clearInterval(heartbeat)
      await closeSockets(server)
    },
  }
}
