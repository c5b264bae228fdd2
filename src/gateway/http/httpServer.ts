import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { asksForWebSocket } from './webSockets.ts'

/** An HTTP server of this process. It is not listening yet: the creator starts it. */
export type HttpServer = Readonly<{
  server: Server
  /**
   * From now on `/ready` is 503 and each answer closes its connection, so that load balancers choose other processes.
   * Requests are still answered.
   */
  drain: () => void
  /** Stops accepting requests. Resolves once the requests in progress are answered. */
  close: () => Promise<void>
}>

/** Limits for receiving the headers of a request, for receiving all of it, and between requests. */
export const defaultTimeouts = {
  headersMs: 10_000,
  requestMs: 15_000,
  // Longer than load balancers keep idle connections (60 s).
  keepAliveMs: 65_000,
}

export const serverOptions = ({ headersMs, requestMs, keepAliveMs }: typeof defaultTimeouts) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  // By default node:http checks for late requests only twice a minute.
  connectionsCheckingInterval: headersMs / 10,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
  shouldUpgradeCallback: asksForWebSocket,
})

/** Closes a server and its idle connections. Requests in progress get `graceMs`, while `endStreams` ends longer ones. */
export async function closeServer(
  server: Server,
  connections: Iterable<Socket>,
  { graceMs, endStreams }: Readonly<{ graceMs: number; endStreams: () => Promise<unknown> }>,
): Promise<void> {
  // If the port was taken, the server never listened, and its callback would never run.
  const closed = server.listening ? closeOf(server) : Promise.resolve()
  server.closeIdleConnections()
  // node:http does not count connections without a request as idle, and stops their timeouts.
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  const timeout = setTimeout(() => server.closeAllConnections(), graceMs)
  await endStreams()
  await closed
  clearTimeout(timeout)
}

const closeOf = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })
