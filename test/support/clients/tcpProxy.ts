import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/**
 * A proxy in front of a server, which can cut the connection: with a word (`down`), or without one, as a broken cable
 * does (`hang`): what is sent is lost, and nobody hears of it.
 */
export async function startTcpProxy(target: Readonly<{ host: string; port: number }>) {
  const sockets = new Set<Socket>()
  let isDown = false
  let hangs = false
  let refused = 0
  let lastWords: ((chunk: Buffer) => Buffer | undefined) | undefined
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
        const last = lastWords?.(chunk)
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
    /** From now on a connection ends with these words, in one packet with the answer that `words` gives them for. */
    endWith: (words: typeof lastWords): void => {
      lastWords = words
    },
    /** Ends what hangs, and passes new connections on. */
    heal: (): void => {
      hangs = false
      lastWords = undefined
      cut()
    },
    stop: async (): Promise<void> => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
