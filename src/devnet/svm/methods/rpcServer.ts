import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Bank } from '#src/devnet/svm/node/bank.ts'
import { answerCalls } from './answerCalls.ts'
import type { Method } from './params.ts'
import { toJson } from './rpcJson.ts'
import {
  type ClientSubscriptions,
  createClientSubscriptions,
  type ReachedBlocks,
} from './subscriptions.ts'

export type RpcServer = Readonly<{
  url: string
  wsUrl: string
  publish: (reached: ReachedBlocks) => void
  stop: () => Promise<void>
}>

type ServerArgs = Readonly<{
  bank: Bank
  methods: Readonly<Record<string, Method>>
  port: number
  onBug: (error: unknown) => void
}>

/** As real nodes limit it. */
const maxBodyBytes = 50 * 1024

/** A client that reads nothing is dropped beyond this. */
const maxBufferedBytes = 16 * 1024 * 1024

/**
 * Serves the methods over HTTP, and subscriptions over WebSockets, on one port of 127.0.0.1.
 * @throws Error if the port is taken.
 */
export async function startRpcServer({
  bank,
  methods,
  port,
  onBug,
}: ServerArgs): Promise<RpcServer> {
  const server = createServer((request, response) => {
    answerRequest(methods, request, response, onBug).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({
    server,
    maxPayload: maxBodyBytes,
    perMessageDeflate: false,
  })
  const clients = new Set<ClientSubscriptions>()
  sockets.on('connection', (socket) => {
    const client = createClientSubscriptions(bank, (message) => sendTo(socket, toJson(message)))
    clients.add(client)
    socket.on('close', () => clients.delete(client))
    socket.on('error', () => socket.terminate())
    socket.on('message', async (data) => {
      const answer = await answerCalls(client.methods, data.toString(), onBug)
      if (answer !== undefined) sendTo(socket, answer)
    })
  })
  // Both report a port that is taken, and `once` below throws it.
  sockets.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    wsUrl: `ws://127.0.0.1:${taken}`,
    publish: (reached) => {
      for (const client of clients) client.publish(reached)
    },
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendTo(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > maxBufferedBytes) socket.terminate()
  else if (socket.readyState === socket.OPEN) socket.send(text)
}

async function answerRequest(
  methods: Readonly<Record<string, Method>>,
  request: IncomingMessage,
  response: ServerResponse,
  onBug: (error: unknown) => void,
): Promise<void> {
  // Wallets in a browser call it from the pages of other origins.
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST, GET')
    response.setHeader('access-control-allow-headers', '*')
    response.writeHead(204).end()
    return
  }
  if (request.method === 'GET' && request.url === '/health') {
    response.end('ok')
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end('Used HTTP Method is not allowed. POST or OPTIONS is required\n')
    return
  }
  if (!request.headers['content-type']?.startsWith('application/json')) {
    response
      .writeHead(415)
      .end('Supplied content type is not allowed. Content-Type: application/json is required\n')
    return
  }
  const body = await readBody(request)
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end('Request body is too large\n')
    return
  }
  const answer = await answerCalls(methods, body, onBug)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(answer)
}

/** Undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
