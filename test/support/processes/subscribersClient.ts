import { WebSocket } from 'ws'
import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'

/** The port of the gateway and, for each protocol, the request id of every subscriber. */
export type Subscribers = Readonly<{
  port: number
  sse: readonly string[]
  socket: readonly string[]
  status: readonly string[]
}>

/** The number of subscribers that received each transcript: all their events, from first to last. */
export type Transcripts = Readonly<Record<string, number>>

const query =
  'subscription Watch($id: RequestId!) { requestStatus(requestId: $id) { seq status inTxHashes txHashes } }'

const transcripts: Record<string, number> = {}
let expected = 0
let ended = 0

/** Records the events of one subscriber. `joined` resolves with the first event. */
function createListener(kind: string) {
  const joined = Promise.withResolvers<void>()
  const events: string[] = [kind]
  let isOver = false
  return {
    joined: joined.promise,
    note: (word: string): void => {
      events.push(isOver ? `${word} after the end` : word)
      joined.resolve()
    },
    end: (word: string): void => {
      if (isOver) return
      isOver = true
      events.push(word)
      const transcript = events.join(' ')
      transcripts[transcript] = (transcripts[transcript] ?? 0) + 1
      ended += 1
      if (ended === expected) process.send?.(transcripts)
    },
  }
}

const stateOf = (text: string): string => {
  const { seq, status, inTxHashes, txHashes } = JSON.parse(text).data.requestStatus
  return `${seq}:${status}:${inTxHashes.length}+${txHashes.length}`
}

function joinByEvents(port: number, id: string): Promise<void> {
  const { joined, note, end } = createListener('sse')
  const socket = subscribeByEvents({ port, query, variables: { id } }, (text) => {
    for (const line of text.split('\n'))
      if (line.startsWith('data: ')) note(stateOf(line.slice('data: '.length)))
    if (text.includes('event: complete')) {
      end('complete')
      socket.destroy()
    }
  })
  socket.on('close', () => end('closed'))
  socket.on('error', () => end('failed'))
  return joined
}

function joinBySocket(port: number, id: string): Promise<void> {
  const { joined, note, end } = createListener('socket')
  const socket = subscribeBySocket({ port, query, variables: { id } }, (text) => {
    const { type, payload } = JSON.parse(text)
    if (type === 'next') return note(stateOf(JSON.stringify(payload)))
    end(type)
    socket.terminate()
  })
  socket.on('close', () => end('closed'))
  socket.on('error', () => end('failed'))
  return joined
}

/** These subscriptions never complete on their own. The client ends them at the last status. */
function joinByStatus(port: number, id: string): Promise<void> {
  const { joined, note, end } = createListener('/ws')
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  const event = 'request.status.updated'
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'subscribe', event, filters: { id } })),
  )
  socket.on('message', (bytes) => {
    const { type, event: name, data } = JSON.parse(bytes.toString())
    if (type === 'subscribe') note('subscribed')
    if (name !== event || type !== undefined) return
    note(`${data.status}:${data.inTxHashes.length}+${data.txHashes.length}`)
    if (data.status === 'success') {
      end('over')
      socket.terminate()
    }
  })
  socket.on('close', () => end('closed'))
  socket.on('error', () => end('failed'))
  return joined
}

/** Number of subscribers that connect concurrently: a server queues only a limited number of new connections. */
const atOnce = 50

process.on('message', async ({ port, sse, socket, status }: Subscribers) => {
  const joins = [
    ...sse.map((id) => () => joinByEvents(port, id)),
    ...socket.map((id) => () => joinBySocket(port, id)),
    ...status.map((id) => () => joinByStatus(port, id)),
  ]
  expected = joins.length
  for (let first = 0; first < joins.length; first += atOnce)
    await Promise.all(joins.slice(first, first + atOnce).map((join) => join()))
  process.send?.('joined')
})
