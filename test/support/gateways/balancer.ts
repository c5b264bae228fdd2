import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds. A process that answers later counts as not ready. */
const readyLimitMs = 1_000

/** Milliseconds between the checks of the processes. */
const intervalMs = 50

/**
 * A TCP load balancer on 127.0.0.1: distributes new connections in rotation to the processes whose `/ready` is 200. It
 * never retries.
 */
export async function startBalancer(urls: () => readonly string[]) {
  let ready: readonly string[] = []
  let turn = 0
  let stopped = false
  const sockets = new Set<Socket>()

  async function watch(): Promise<void> {
    while (!stopped) {
      const all = urls()
      const states = await Promise.all(all.map(isReady))
      ready = all.filter((_, at) => states[at])
      await setTimeout(intervalMs)
    }
  }

  const server = createServer((client) => {
    turn += 1
    // If none is ready, any process may do: a stopping process still answers for a while.
    const candidates = ready.length === 0 ? urls() : ready
    const target = candidates[turn % candidates.length]
    if (target === undefined) return void client.destroy()
    const { hostname, port } = new URL(target)
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket.setNoDelay())
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroySoon()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const watching = watch()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The processes that get new connections. */
    ready: () => ready,
    stop: async (): Promise<void> => {
      stopped = true
      await watching
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    // Without keep-alive: the check itself must not delay the end of a process.
    return (
      await fetch(`${url}/ready`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(readyLimitMs),
      })
    ).ok
  } catch {
    return false
  }
}
