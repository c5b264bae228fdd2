import { WebSocket } from 'ws'

/** Operations of one connection. */
const perSocket = 100

/** Each follower has a document of its own, so that no two share an event. */
const query = (at: number): string => {
  const aliases = Array.from({ length: 45 }, (_, each) => `a${each}: number`)
  const repeated = '... on ChainHead { number hash timestamp } '.repeat(50)
  return `subscription { chainHead(chainId: 1) { ${aliases.join(' ')} ${repeated} } } # ${at}`
}

/** Follows the head of a chain many times, from one address. Resolves once each has its first event. */
export async function followHeads(
  port: number,
  address: string,
  count: number,
): Promise<Readonly<{ close: () => void }>> {
  const sockets: WebSocket[] = []
  for (let first = 0; first < count; first += perSocket)
    sockets.push(await openSocket(port, address, first))
  return {
    close: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Opens one operation after another. */
function openSocket(port: number, address: string, first: number): Promise<WebSocket> {
  const headers = { 'x-forwarded-for': address }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
    headers,
  })
  let opened = 0
  const next = () => {
    const payload = { query: query(first + opened) }
    socket.send(JSON.stringify({ id: `${opened}`, type: 'subscribe', payload }))
  }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send('{"type":"connection_init"}'))
    socket.on('message', (bytes) => {
      const { type, id, payload } = JSON.parse(bytes.toString())
      if (type === 'error') reject(new Error(JSON.stringify(payload)))
      if (type === 'connection_ack') next()
      if (type !== 'next' || id !== `${opened}`) return
      opened += 1
      if (opened === perSocket) resolve(socket)
      else next()
    })
  })
}
