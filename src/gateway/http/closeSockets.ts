import { once } from 'node:events'
import type { WebSocketServer } from 'ws'

/** By RFC 6455. */
const goingAway = 1001
const patienceMs = 2_000

/** Ends all connections: told of it first, and cut where their clients do not answer. */
export async function closeSockets({ clients }: WebSocketServer): Promise<void> {
  const open = [...clients]
  const closed = open.map((client) => once(client, 'close'))
  for (const client of open) client.close(goingAway, 'The server closes')
  const patience = setTimeout(() => {
    for (const client of open) client.terminate()
  }, patienceMs)
  await Promise.all(closed)
  clearTimeout(patience)
}
