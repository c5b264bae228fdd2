import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Reply, refusal } from './reply.ts'

/** Takes a connection over that asks for a WebSocket. */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** What speaks over WebSocket at one path. */
export type SocketFace = Readonly<{
  upgrade: Upgrade
  /** Ends what is open, each in the words of its protocol; done when all is closed. */
  close: () => Promise<void>
}>

/** Only these leave HTTP: an offer of HTTP/2 is answered as if it were not there. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/** Has each path's face take over the connections that ask for it. */
export function routeUpgrades(server: Server, faces: ReadonlyMap<string, SocketFace>): void {
  server.on('upgrade', (request, socket, head) => {
    // Until a face has its own: a client that is gone is nobody's failure.
    socket.on('error', () => socket.destroy())
    const [path = ''] = (request.url ?? '').split('?')
    const face = faces.get(path)
    if (face !== undefined) return face.upgrade(request, socket, head)
    refuseUpgrade(socket, refusal('NOT_FOUND', 'No WebSocket is at this path'))
  })
}

/** Answers in HTTP, and closes. */
function refuseUpgrade(socket: Duplex, { status, body }: Reply): void {
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
