import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/**
 * A proxy in front of a server. `down` closes all connections. `hang` keeps them open but loses all data, like a broken
 * cable.
 */
export async function startTcpProxy(target: Readonly<{ host: string; port: number }>) {
  const sockets = new Set<Socket>()
  let isDown = false
  let hangs = false
  let refused = 0
  let finalBytes: ((chunk: Buffer) => Buffer | undefined) | undefined
  const server = createServer((client) => {
    if (isDown) {
      refused += 1
      return client.destroy()
    }
    if (hangs) return void sockets.add(client.on('close', () => sockets.delete(client)).pause())
    const upstream = connect(target.port, target.host)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    const answers = new Transform({
      transform: (chunk: Buffer, _, done) => {
        const last = finalBytes?.(chunk)
        done(undefined, last === undefined ? chunk : Buffer.concat([chunk, last]))
        if (last !== undefined) answers.end()
      },
    })
    client.pipe(upstream).pipe(answers).pipe(client)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    down: (): void => {
      isDown = true
      cut()
    },
    up: (): void => {
      isDown = false
    },
    /** Number of connections that were refused while it was down. */
    refused: () => refused,
    hang: (): void => {
      hangs = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** If `bytesAfter` returns bytes for an answer, these follow it in the same packet, and the connection ends. */
    endWith: (bytesAfter: typeof finalBytes): void => {
      finalBytes = bytesAfter
    },
    /** Closes hanging connections, and forwards new ones. */
    heal: (): void => {
      hangs = false
      finalBytes = undefined
      cut()
    },
    stop: async (): Promise<void> => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
