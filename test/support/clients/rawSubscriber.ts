import { createConnection, type Socket } from 'node:net'
import { WebSocket } from 'ws'

/** A subscription and the address of its server. `path` defaults to /graphql. */
export type RawSubscription = Readonly<{
  port: number
  path?: string
  query: string
  variables: Readonly<Record<string, unknown>>
}>

/** Subscribes by server-sent events directly on a socket. `onEvents` gets complete events as raw text. */
export function subscribeByEvents(
  { port, path = '/graphql', query, variables }: RawSubscription,
  onEvents: (text: string) => void,
): Socket {
  const socket = createConnection(port, '127.0.0.1').setNoDelay()
  const body = JSON.stringify({ query, variables })
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: subscriber',
    'accept: text/event-stream',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  let rest = ''
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1')
    const end = text.lastIndexOf('\n\n') + 2
    rest = end < 2 ? text : text.slice(end)
    if (end >= 2) onEvents(text.slice(0, end))
  })
  return socket
}

/** Subscribes to one operation over graphql-transport-ws. */
export function subscribeBySocket(
  { port, path = '/graphql', query, variables }: RawSubscription,
  onMessage: (text: string) => void,
): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, 'graphql-transport-ws')
  socket.on('open', () => socket.send('{"type":"connection_init"}'))
  socket.on('message', (bytes) => {
    const text = bytes.toString()
    if (text.includes('"connection_ack"'))
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables } }))
    else onMessage(text)
  })
  return socket
}
