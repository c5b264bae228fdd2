import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

/** Clients that send `bodies` in turn for a given time, each its next request when it has the answer. */
export type OverloadLoad = Readonly<{
  port: number
  bodies: readonly string[]
  clients: number
  seconds: number
  /** Whether a refused client waits as long as `retry-after` says. Otherwise it sends again at once. */
  waitsAsTold: boolean
  /** Milliseconds between an answer and the next request of a client. Default: 0. */
  pauseMs?: number
  /** The addresses of the clients in turn, as a proxy tells them. Default: no proxy. */
  addresses?: readonly string[]
  /** Whether errors count as answers. Otherwise an error is a failure, which ends its client. Default: false. */
  countsErrors?: boolean
}>

/** `milliseconds` holds the sorted latencies of the answers that were not refused. */
export type OverloadMeasured = Readonly<{
  seconds: number
  milliseconds: readonly number[]
  refused: number
  /** Answers of any other kind. */
  failed: number
}>

type Counts = { milliseconds: number[]; refused: number; failed: number }

/** Parses the head of an answer, and the length of its body. */
const head = /^HTTP\/1\.1 (\d+)[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i

/** One client, which writes to the socket directly: an HTTP client would take longer than a refusal. */
function drive(
  socket: Socket,
  {
    load,
    requests,
    counts,
  }: Readonly<{ load: OverloadLoad; requests: readonly Buffer[]; counts: Counts }>,
  first: number,
) {
  const { pauseMs = 0, countsErrors = false } = load
  return new Promise<void>((resolve) => {
    const until = performance.now() + load.seconds * 1000
    let next = first
    let sent = 0
    let text = ''
    const send = (): void => {
      if (performance.now() >= until) return void socket.destroy()
      sent = performance.now()
      socket.write(requests[next++ % requests.length] ?? '')
    }
    const sendAfter = (ms: number): void => {
      if (ms > 0) setTimeout(send, ms)
      else send()
    }
    const fail = () => {
      counts.failed += 1
      socket.destroy()
    }
    socket.on('error', fail)
    socket.on('close', () => resolve())
    // Clients that pause do not all send at once.
    sendAfter(pauseMs * Math.random())
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [whole, status, length] = head.exec(text) ?? []
      if (whole === undefined || text.length < whole.length + Number(length)) return
      const isRefused = text.includes('"OVERLOADED"', whole.length)
      if (isRefused) counts.refused += 1
      else if (countsErrors || (status === '200' && text.startsWith('{"data":{"', whole.length)))
        counts.milliseconds.push(performance.now() - sent)
      else return fail()
      const seconds = Number(/^retry-after: (\d+)/im.exec(whole)?.[1] ?? 0)
      text = ''
      sendAfter(isRefused && load.waitsAsTold ? seconds * 1000 : pauseMs)
    })
  })
}

/** Node accepts one new connection in each turn of its event loop: these are measured once they are accepted. */
async function connect({ port, clients }: OverloadLoad): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  for (let at = 0; at < clients; at += 1) {
    const socket = createConnection(port, '127.0.0.1').setNoDelay()
    socket.write('GET /health HTTP/1.1\r\nhost: bench\r\n\r\n')
    await once(socket, 'data')
    sockets.push(socket)
  }
  return sockets
}

function requestsOf({ bodies, addresses = [] }: OverloadLoad, client: number): readonly Buffer[] {
  const from = addresses[client % addresses.length]
  const address = from === undefined ? '' : `x-forwarded-for: ${from}\r\n`
  return bodies.map((body) =>
    Buffer.from(
      `POST /graphql HTTP/1.1\r\nhost: bench\r\n${address}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
}

async function measure(load: OverloadLoad, sockets: readonly Socket[]): Promise<OverloadMeasured> {
  const counts: Counts = { milliseconds: [], refused: 0, failed: 0 }
  const started = performance.now()
  await Promise.all(
    sockets.map((socket, at) => {
      const requests = requestsOf(load, at)
      // Far apart, so that no two clients send the same body at about the same time.
      return drive(
        socket,
        { load, requests, counts },
        Math.floor((at * requests.length) / sockets.length),
      )
    }),
  )
  const seconds = (performance.now() - started) / 1000
  counts.milliseconds.sort((one, other) => one - other)
  return { seconds, ...counts }
}

/** A load is answered once its clients are connected. The next message starts them. */
for (;;) {
  const [load] = (await once(process, 'message')) as [OverloadLoad]
  const sockets = await connect(load)
  process.send?.('connected')
  await once(process, 'message')
  process.send?.(await measure(load, sockets))
}
