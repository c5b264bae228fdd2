import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { recordLog } from '#test/support/chains/testChain.ts'
import { patience } from '#test/support/patience.ts'
import { subscribeToHeads } from './headSocket.ts'

let server: WebSocketServer
let end: () => void = () => undefined

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false })
  await once(server, 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  end()
  for (const socket of server.clients) socket.terminate()
  server.close()
  await once(server, 'close')
})

/** Subscribes to a node that answers each request by its id. `heads` gets the announced numbers. */
function subscribe(answers: Readonly<Record<number, unknown>>) {
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      if (id in answers) socket.send(JSON.stringify({ id, ...(answers[id] as object) }))
    }),
  )
  const { port } = server.address() as AddressInfo
  const heads: (bigint | undefined)[] = []
  const { log, lines } = recordLog()
  end = subscribeToHeads(
    { log, redact: (text) => text, count: () => undefined },
    { url: `ws://127.0.0.1:${port}/`, chainId: 990001 },
    (number) => heads.push(number),
  )
  return { heads, lines }
}

const ours = { 1: { result: '0xf1b31' }, 2: { result: '0xabc' } }
const announce = (number: string): void => {
  const params = { subscription: '0xabc', result: { number } }
  for (const socket of server.clients)
    socket.send(JSON.stringify({ method: 'eth_subscription', params }))
}

test('notifies when the subscription starts, and then of each head', async () => {
  const { heads } = subscribe(ours)
  await vi.waitUntil(() => heads.length === 1, patience)
  announce('0x10')
  await vi.waitUntil(() => heads.length === 2, patience)
  expect(heads).toEqual([undefined, 16n])
})

test.each<[string, Readonly<Record<number, unknown>>, string]>([
  ['another chain', { ...ours, 1: { result: '0x1' } }, 'its chain id is 1, not 990001'],
  ['a refusal', { 2: { error: { code: -32601, message: 'no such method' } } }, 'no such method'],
  ['nonsense', { ...ours, 1: { result: '<html>' } }, '<html>'],
])('%s ends the connection, and it reconnects', async (_, answers, reason) => {
  const { lines } = subscribe(answers)
  await once(server, 'connection')
  await once(server, 'connection')
  expect(lines[0]?.['reason']).toContain(reason)
})

test('a message larger than any newHeads message ends the connection', async () => {
  const { lines } = subscribe(ours)
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  socket.send('x'.repeat(1_000_000))
  await once(server, 'connection')
  expect(lines[0]?.['reason']).toContain('payload')
})

test('reconnects when the peer is silent for two pings', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { heads } = subscribe(ours)
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  await vi.waitUntil(() => heads.length === 1, patience)
  vi.advanceTimersByTime(60_000)
  await once(socket, 'close')
  await once(server, 'connection')
})

test('keeps the connection while the peer answers pings', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { heads } = subscribe(ours)
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  await vi.waitUntil(() => heads.length === 1, patience)
  for (let each = 1; each <= 4; each += 1) {
    const pinged = once(socket, 'ping')
    vi.advanceTimersByTime(15_000)
    await pinged
    socket.pong()
    socket.send(JSON.stringify({ id: 2, result: '0xabc' }))
    await vi.waitUntil(() => heads.length === 1 + each, patience)
  }
  expect(socket.readyState).toBe(socket.OPEN)
})
