import { createConnection } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** Sends `bodies` in turn over `clients` keep-alive connections for a given time. */
export type Load = Readonly<{
  port: number
  path: string
  bodies: readonly string[]
  clients: number
  seconds: number
}>

/** `milliseconds` holds the sorted latencies. `failed` counts answers without data. */
export type Measured = Readonly<{ seconds: number; milliseconds: Float64Array; failed: number }>

/** Parses the head of an answer, and the length of its body. */
const head = /^HTTP\/1\.1 (\d+)[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i

/**
 * One client, which sends its next request when it has the complete answer. It writes to the socket directly,
 * because an HTTP client would take longer per request than the servers under test.
 */
function drive(load: Load, requests: readonly Buffer[], first: number, latencies: number[]) {
  return new Promise<number>((resolve, reject) => {
    const socket = createConnection(load.port, '127.0.0.1').setNoDelay()
    const until = performance.now() + load.seconds * 1000
    let next = first
    let sent = 0
    let failed = 0
    let text = ''
    const send = () => {
      sent = performance.now()
      socket.write(requests[next++ % requests.length] ?? '')
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [whole, status, length] = head.exec(text) ?? []
      if (whole === undefined || text.length < whole.length + Number(length)) return
      const now = performance.now()
      latencies.push(now - sent)
      if (status !== '200' || !text.startsWith('{"data":{"', whole.length)) failed += 1
      text = ''
      if (now < until) return send()
      socket.destroy()
      resolve(failed)
    })
  })
}

parentPort?.on('message', async (load: Load) => {
  const requests = load.bodies.map((body) =>
    Buffer.from(
      `POST ${load.path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const latencies: number[] = []
  const started = performance.now()
  const clients = Array.from({ length: load.clients }, (_, at) =>
    drive(load, requests, at * 7, latencies),
  )
  const failed = (await Promise.all(clients)).reduce((sum, each) => sum + each, 0)
  const measured: Measured = {
    seconds: (performance.now() - started) / 1000,
    milliseconds: Float64Array.from(latencies).sort(),
    failed,
  }
  parentPort?.postMessage(measured)
})
