import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { listenLocally } from '#test/support/nodes/listenLocally.ts'
import { answerRequest, type NodeView, type RpcCall } from './answerRequest.ts'
import type { SimulatedChain } from './simulatedChain.ts'

/** Limits and faults of the endpoint. */
export type NodeFaults = Readonly<{
  /** Maximum requests per second. Further ones are answered with 429. */
  requestsPerSecond?: number
  /** The `Retry-After` of these answers. */
  retryAfter?: string
  /** Maximum blocks of one `eth_getLogs`. */
  maxLogBlocks?: number
  /** Number of newest blocks whose state it keeps. Calls at older blocks are refused. */
  statesKept?: number
  /** Blocks that its node is behind. */
  lagBlocks?: number
  /** Blocks by which a second node behind the same URL is behind the first. The two nodes answer alternately. */
  secondLagBlocks?: number
  /** Answers calls at a block with the state of the next block, if there is one: the node is importing it. */
  importsNext?: boolean
  /** Cuts every connection. */
  isDown?: boolean
  /** Every n-th request has its connection cut. */
  failsOneIn?: number
  latencyMs?: number
}>

export type SimulatedNode = Readonly<{
  url: string
  wsUrl: string
  /** Sets the limits and faults of later requests. A function is called for each request. */
  behave: (faults: NodeFaults | (() => NodeFaults)) => void
  /** All requests so far, including refused ones. */
  calls: readonly RpcCall[]
  /** Total length of all HTTP requests and their answers. */
  bytes: () => number
  /** Number of requests that were answered with 429. */
  limited: () => number
  stop: () => Promise<void>
}>

const error = { code: 429, message: 'too many requests' }
const tooMany = JSON.stringify({ jsonrpc: '2.0', id: null, error })

/** Serves a simulated chain over HTTP and WebSocket on 127.0.0.1. Several nodes may serve one chain. */
export async function startSimulatedNode(
  chain: SimulatedChain,
  given: NodeFaults = {},
): Promise<SimulatedNode> {
  let faultsOfNext: () => NodeFaults = () => given
  const calls: RpcCall[] = []
  let limited = 0
  let bytes = 0
  let taken: number[] = []
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  function isLimited({ requestsPerSecond = Number.POSITIVE_INFINITY }: NodeFaults): boolean {
    const now = performance.now()
    taken = taken.filter((time) => time > now - 1_000)
    if (taken.length >= requestsPerSecond) return true
    taken.push(now)
    return false
  }

  /** The state of the node that answers the last call. */
  function view(faults: NodeFaults): NodeView {
    const { lagBlocks = 0, secondLagBlocks = 0 } = faults
    const behind = lagBlocks + (calls.length % 2 === 0 ? secondLagBlocks : 0)
    return {
      height: Math.max(chain.head().number - behind, 0),
      statesKept: faults.statesKept ?? Number.POSITIVE_INFINITY,
      maxLogBlocks: faults.maxLogBlocks ?? Number.POSITIVE_INFINITY,
      importsNext: faults.importsNext ?? false,
    }
  }

  /** Counts a call, even if it gets no answer. */
  function take(raw: object): RpcCall {
    const call = { params: [], ...raw } as unknown as RpcCall
    calls.push(call)
    return call
  }

  function answer(raw: object, faults: NodeFaults) {
    const call = take(raw)
    return { jsonrpc: '2.0', id: call.id, ...answerRequest(chain, view(faults), call) }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request)
    const body: object = JSON.parse(sent)
    bytes += sent.length
    const faults = faultsOfNext()
    if (faults.latencyMs !== undefined) await setTimeout(faults.latencyMs)
    const isUnlucky =
      faults.failsOneIn !== undefined && (calls.length + 1) % faults.failsOneIn === 0
    if (faults.isDown === true || isUnlucky) {
      take(body)
      return void response.destroy()
    }
    response.setHeader('content-type', 'application/json')
    if (isLimited(faults)) {
      take(body)
      limited += 1
      if (faults.retryAfter !== undefined) response.setHeader('retry-after', faults.retryAfter)
      response.writeHead(429)
      return void response.end(tooMany)
    }
    const answers = Array.isArray(body)
      ? body.map((each: object) => answer(each, faults))
      : answer(body, faults)
    const answered = JSON.stringify(answers)
    bytes += answered.length
    response.end(answered)
  }

  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const call = JSON.parse(String(data)) as RpcCall
      if (call.method !== 'eth_subscribe')
        return void socket.send(JSON.stringify(answer(call, faultsOfNext())))
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: take(call).id, result: '0x1' }))
      const end = chain.onHead(({ fields }) => {
        const params = { subscription: '0x1', result: fields }
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }))
      })
      socket.on('close', end)
    })
  })

  const { stop, ...urls } = await listenLocally(server)
  return {
    ...urls,
    behave: (next) => {
      faultsOfNext = typeof next === 'function' ? next : () => next
    },
    calls,
    bytes: () => bytes,
    limited: () => limited,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate()
      await stop()
    },
  }
}
