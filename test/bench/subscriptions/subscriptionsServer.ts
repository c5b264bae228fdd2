import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { serveLiveGateway } from '#test/support/gateways/liveGateway.ts'
import { idOf } from '#test/support/store/storeModel.ts'

/** Asks the server to publish the next event of each topic, at the given number of topics per second. */
export type Publish = Readonly<{ topics: number; from: number; perSecond: number }>

/** When each topic’s event was published, in milliseconds since 1970. */
export type Published = Readonly<{ times: readonly number[] }>

/** Bytes. `live` is the memory after a collection. `rss` is the memory of the process, including garbage. */
export type ServerState = Readonly<{
  port: number
  connections: number
  live: number
  rss: number
}>

type Served = Readonly<{ server: Server; publish: (topic: number) => void }>

const [kind = 'crossquote', topicCount = '1'] = process.argv.slice(2)

async function serveCrossquote(): Promise<Served> {
  const gateway = await serveLiveGateway()
  for (let topic = 0; topic < Number(topicCount); topic += 1) gateway.model.put(idOf(topic))
  return {
    server: gateway.server,
    publish: (topic) => gateway.change(idOf(topic), 'pending'),
  }
}

/** A minimal server with node:http and ws, which sends the same text to every subscriber of a topic. */
async function serveRaw(): Promise<Served> {
  type Subscriber = Readonly<{ response?: ServerResponse; socket?: WebSocket }>
  const topics = Array.from({ length: Number(topicCount) }, () => new Set<Subscriber>())
  const join = (url: string | undefined, subscriber: Subscriber) => {
    const topic = topics[Number(new URL(url ?? '', 'http://bench').searchParams.get('topic'))]
    topic?.add(subscriber)
    const { response, socket } = subscriber
    response?.on('close', () => topic?.delete(subscriber))
    socket?.on('close', () => topic?.delete(subscriber))
  }
  const textOf = (seq: number) =>
    `{"data":{"requestStatus":{"seq":${seq},"status":"pending","inTxHashes":[],"txHashes":[],"steps":[{"id":"approve","items":[{"status":"waiting"}]},{"id":"deposit","items":[{"status":"waiting"}]}]}}}`
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: next\ndata: ${textOf(0)}\n\n`)
    join(request.url, { response })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    socket.send(`{"id":"1","type":"next","payload":${textOf(0)}}`)
    join(request.url, { socket })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const seqs = topics.map(() => 0)
  return {
    server,
    publish: (topic) => {
      const seq = (seqs[topic] ?? 0) + 1
      seqs[topic] = seq
      const frame = Buffer.from(`event: next\ndata: ${textOf(seq)}\n\n`)
      const message = `{"id":"1","type":"next","payload":${textOf(seq)}}`
      for (const { response, socket } of topics[topic] ?? []) {
        response?.write(frame)
        socket?.send(message)
      }
    },
  }
}

const { server, publish } = await (kind === 'raw' ? serveRaw() : serveCrossquote())

const { port } = server.address() as AddressInfo

const stateNow = async (): Promise<ServerState> => {
  const connections = await new Promise<number>((resolve) =>
    server.getConnections((_, count) => resolve(count)),
  )
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { port, connections, live: heapUsed + external, rss }
}

const burstMs = 10

process.on('message', async (message: Publish | 'state') => {
  if (message === 'state') return process.send?.(await stateNow())
  const { topics, from, perSecond } = message
  const times: number[] = []
  const burst = Math.max(1, Math.round((perSecond * burstMs) / 1000))
  for (let topic = 0; topic < topics; topic += 1) {
    times.push(performance.timeOrigin + performance.now())
    publish(from + topic)
    if (topic % burst === burst - 1) await pause(burstMs)
  }
  return process.send?.({ times } satisfies Published)
})
process.send?.(await stateNow())
