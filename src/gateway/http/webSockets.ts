import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '#src/config/log.ts'
import type { Client } from '#src/service/callers.ts'
import { clientOf } from './clientOf.ts'
import { type Reply, refusal } from './reply.ts'

/** Serves the WebSocket connections of one path. */
export type SocketEndpoint = Readonly<{
  /** Takes over a connection whose client asked for the WebSocket protocol. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Closes all connections. Resolves once they are closed. */
  close: () => Promise<void>
}>

/**
 * Close codes of RFC 6455 and its registry (1012: the client should connect again); 4400 and 4409 are defined by the
 * graphql-transport-ws protocol.
 */
export const closeCode = {
  unsupportedData: 1003,
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badRequest: 4400,
  idInUse: 4409,
}

/** Time that a client has to answer the closing handshake. */
const closeTimeoutMs = 2_000

type Options = Readonly<{
  maxMessageBytes: number
  /** Time between pings. A client that has not answered one ping by the next is disconnected. */
  heartbeatSeconds: number
  /** Reverse proxies in front of the gateway. */
  proxies?: number
  handleProtocols?: NonNullable<ServerOptions['handleProtocols']>
}>

/**
 * An endpoint that passes each new WebSocket to `serve`, with its client and its raw connection, for whole frames. The
 * request itself is dropped: it would stay in memory as long as the connection.
 */
export function createSocketEndpoint(
  { log }: Readonly<{ log: Log }>,
  { maxMessageBytes, heartbeatSeconds, proxies = 0, ...options }: Options,
  serve: (socket: WebSocket, client: Client, connection: Duplex) => void,
): SocketEndpoint {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, ...options })
  /** Clients that have answered the last ping. */
  const alive = new WeakSet<WebSocket>()
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, heartbeatSeconds * 1_000).unref()

  const accept = (socket: WebSocket, client: Client, connection: Duplex): void => {
    alive.add(socket)
    socket.on('pong', () => alive.add(socket))
    // For example a message that is too long. The socket then closes itself.
    socket.on('error', (error) => log.debug({ err: error }, 'WebSocket error'))
    serve(socket, client, connection)
  }

  let closing = false
  return {
    upgrade: (request, socket, head) => {
      if (closing) return void socket.destroy()
      const client = clientOf(request, proxies)
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, client, socket))
    },
    close: async () => {
      closing = true
      clearInterval(heartbeat)
      await closeClients(server)
    },
  }
}

/** Starts the closing handshake on all connections, and cuts those whose clients do not answer in time. */
async function closeClients({ clients }: WebSocketServer): Promise<void> {
  const open = [...clients]
  const closed = open.map((client) => once(client, 'close'))
  for (const client of open)
    client.close(closeCode.serviceRestart, 'The server restarts; connect again')
  const timeout = setTimeout(() => {
    for (const client of open) client.terminate()
  }, closeTimeoutMs)
  await Promise.all(closed)
  clearTimeout(timeout)
}

/** Whether a request asks for a WebSocket. An offer of HTTP/2 is ignored: the request is answered over HTTP/1.1. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Routes each WebSocket request to the endpoint at its path, and answers 404 if there is none. `refusalOf` gives the
 * answer to a request that is refused for now. It never rejects.
 */
export function routeUpgrades(
  server: Server,
  endpoints: ReadonlyMap<string, SocketEndpoint>,
  refusalOf: (request: IncomingMessage, path: string) => Promise<Reply | undefined> = async () =>
    undefined,
): void {
  server.on('upgrade', (request, socket, head) => {
    // The endpoint adds its own listener later. Until then a client that disconnects must not crash the process.
    socket.on('error', () => socket.destroy())
    const [path = ''] = (request.url ?? '').split('?')
    const endpoint = endpoints.get(path)
    if (endpoint === undefined)
      return refuseUpgrade(socket, refusal('NOT_FOUND', 'There is no WebSocket at this path'))
    void refusalOf(request, path).then((refused) => {
      if (refused === undefined) endpoint.upgrade(request, socket, head)
      else refuseUpgrade(socket, refused)
    })
  })
}

/** Writes an HTTP response on the raw connection, and closes it. */
function refuseUpgrade(socket: Duplex, { status, headers, body }: Reply): void {
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
