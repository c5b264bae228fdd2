import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { Log } from '#src/config/log.ts'
import {
  closeCode,
  createSocketEndpoint,
  type SocketEndpoint,
} from '#src/gateway/http/webSockets.ts'
import { createMessageLimits } from '#src/gateway/limits/messageLimits.ts'
import type { MeterOf } from '#src/gateway/limits/meter.ts'
import type { SocketMetrics } from '#src/gateway/monitoring/metrics.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import { createSubscriptions } from './subscriptions.ts'

type Deps = Readonly<{
  operations: Readonly<{ watchRequest: Service['watchRequest'] }>
  log: Log
  metrics: SocketMetrics
}>

type Options = Readonly<{
  /** Reverse proxies in front of the gateway. */
  proxies: number
  meterOf: MeterOf
  /** Whether the gateway has time for one more subscription. */
  admits: () => boolean
  /** Time between pings. */
  heartbeatSeconds?: number
  /** A client with more unread bytes than this is disconnected. The default holds about 400 events. */
  maxUnreadBytes?: number
}>

/** A subscribe message has about 150 bytes. */
const maxMessageBytes = 4_096

/** The WebSocket at /ws: sends clients the status updates of the requests that they subscribe to. */
export function createStatusSockets(
  { operations, log, metrics }: Deps,
  { proxies, meterOf, admits, heartbeatSeconds = 30, maxUnreadBytes = 262_144 }: Options,
): SocketEndpoint {
  const serve = (socket: WebSocket, client: Client): void => {
    const send = (message: object): void => {
      if (socket.readyState !== socket.OPEN) return
      // The client has stopped reading: it would not read a closing message either.
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate()
      else socket.send(JSON.stringify(message))
    }
    const disconnect = () => socket.close(closeCode.tryAgainLater)
    const limits = createMessageLimits(socket, { log, ...metrics.limits })
    const subscriptions = createSubscriptions({
      watchRequest: operations.watchRequest,
      openSubscription: metrics.openSubscription,
      log,
      admits,
      send,
      isConnected: limits.isOpen,
      disconnect,
      charge: () => limits.charge(meterOf(client), 0),
    })

    socket.on('ping', () => void limits.count(meterOf(client), 0))
    socket.on('message', (bytes, isBinary) => {
      if (!limits.isOpen()) return
      if (isBinary) return socket.close(closeCode.unsupportedData, 'Messages must be text')
      return void subscriptions.receive(bytes.toString())
    })
    socket.on('close', subscriptions.endAll)
    send({ type: 'connection', status: 'ready', data: { id: randomBytes(8).toString('hex') } })
  }
  return createSocketEndpoint({ log }, { maxMessageBytes, heartbeatSeconds, proxies }, serve)
}
