import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { listenLocally } from './listenLocally.ts'

export type RpcCall = Readonly<{ id: number; method: string; params: readonly unknown[] }>

export type RpcAnswer = Readonly<{ result: unknown } | { error: unknown }>

/**
 * The proxy's reaction to a call: forwards it, cuts the connection, never answers, stalls within its answer, sends a
 * fixed body, changes the node's answer, or forwards it after `before` resolves, whose second argument resolves once the
 * caller no longer waits.
 */
export type Behaviour =
  | 'pass'
  | 'cut'
  | 'hang'
  | 'stall'
  | Readonly<{
      body: string
      status?: number
      contentType?: string
      headers?: Readonly<Record<string, string>>
    }>
  | Readonly<{ before: (call: RpcCall, closed: Promise<unknown>) => Promise<void> }>
  | Readonly<{ change: (call: RpcCall, answer: RpcAnswer) => RpcAnswer | Promise<RpcAnswer> }>

/** Changes the results of one method. */
export const changeResult = <Result>(
  method: string,
  change: (result: Result, params: readonly unknown[]) => unknown,
): Behaviour => ({
  change: async (call, answer) =>
    call.method === method && 'result' in answer
      ? { result: await change(answer.result as Result, call.params) }
      : answer,
})

export type RpcProxy = Readonly<{
  url: string
  wsUrl: string
  /** Sets the behaviour of later calls. Any behaviour except 'pass' closes all WebSockets and rejects new ones. */
  behave: (behaviour: Behaviour) => void
  calls: readonly RpcCall[]
  /** Responses that the proxy never completes. */
  hanging: ReadonlySet<ServerResponse>
  /** Open WebSockets. */
  sockets: ReadonlySet<Socket>
  stop: () => Promise<void>
}>

/** A JSON-RPC proxy on 127.0.0.1 that can imitate the failures of real nodes. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let behaviour: Behaviour = 'pass'
  const calls: RpcCall[] = []
  const sockets = new Set<Socket>()
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    if (behaviour !== 'pass') return void socket.destroy()
    const { hostname, port } = new URL(target)
    const node = connect(Number(port), hostname)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    node.write(`GET / HTTP/1.1\r\n${headers.join('')}\r\n`)
    node.write(head)
    socket.pipe(node).pipe(socket)
    sockets.add(socket)
    for (const [one, other] of [
      [socket, node],
      [node, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    socket.on('close', () => sockets.delete(socket))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const call: RpcCall = { params: [], ...JSON.parse(body) }
    calls.push(call)
    const now = behaviour
    if (now === 'cut') return void response.destroy()
    if (now === 'hang') {
      hanging.add(response)
      return void response.on('close', () => hanging.delete(response))
    }
    if (now === 'stall') return void response.writeHead(200).write('{"result":')
    if (typeof now === 'object' && 'body' in now) {
      response.writeHead(now.status ?? 200, {
        'content-type': now.contentType ?? 'application/json',
        ...now.headers,
      })
      return void response.end(now.body)
    }
    const headers = { 'content-type': 'application/json' }
    if (typeof now === 'object' && 'before' in now)
      await now.before(
        call,
        once(response, 'close').catch(() => undefined),
      )
    const real = await fetch(target, { method: 'POST', headers, body })
    const original = (await real.json()) as RpcAnswer
    const changed =
      typeof now === 'object' && 'change' in now ? await now.change(call, original) : original
    response.writeHead(200, headers)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...changed }))
  }

  const { stop, ...urls } = await listenLocally(server)
  return {
    ...urls,
    behave: (next) => {
      behaviour = next
      if (next !== 'pass') for (const socket of sockets) socket.destroy()
    },
    calls,
    hanging,
    sockets,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await stop()
    },
  }
}
