import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { Log } from '#src/log.ts'
import { redactUrl } from './redact.ts'

/** Delay before a new connection, doubled after each that brought no block. */
const shortestDelayMs = 250
const longestDelayMs = 30_000
/** Between pings: a peer that shows no sign during two of them is gone, although TCP has not noticed. */
const pingMs = 15_000
const connectMs = 10_000
/** A notice of a head has about 2 kB. */
const maxMessageBytes = 256 * 1024

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,16}$/i)
  .transform(BigInt)
const message = z.union([
  z.object({ id: z.literal(1), result: quantity }).transform(({ result }) => ({ chainId: result })),
  z.object({ id: z.literal(2), result: z.string() }).transform(() => ({ subscribed: true })),
  z
    .object({ params: z.object({ result: z.object({ number: quantity }) }) })
    .transform(({ params }) => ({ head: params.result.number })),
])

/**
 * Follows `newHeads` over a WebSocket that is opened again whenever it fails. It is a wake-up only:
 * `listener` gets the number that was announced, or nothing when heads may have been missed.
 * Returns its end.
 */
export function watchHeads(
  {
    log,
    redact,
    count,
  }: Readonly<{
    log: Log
    redact: (text: string) => string
    count: (method: string) => void
  }>,
  { url, chainId }: Readonly<{ url: string; chainId: number }>,
  listener: (number?: bigint) => void,
): () => void {
  const facts = { chainId, rpc: redactUrl(url) }
  let socket: WebSocket | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let ended = false

  function connect(): void {
    const opened = new WebSocket(url, {
      handshakeTimeout: connectMs,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    })
    socket = opened
    let lastSign = Date.now()
    const watchdog = setInterval(() => {
      if (Date.now() - lastSign > 2 * pingMs) opened.terminate()
      else if (opened.readyState === WebSocket.OPEN) opened.ping()
    }, pingMs)
    let reason = 'closed'
    opened.on('open', () => {
      send(opened, { id: 1, method: 'eth_chainId', params: [] })
      send(opened, { id: 2, method: 'eth_subscribe', params: ['newHeads'] })
    })
    opened.on('pong', () => {
      lastSign = Date.now()
    })
    opened.on('message', (data) => {
      lastSign = Date.now()
      const wrong = read(data)
      if (wrong === undefined) return
      reason = wrong
      opened.terminate()
    })
    opened.on('error', (error) => {
      reason = error.message
    })
    opened.on('close', () => {
      clearInterval(watchdog)
      if (!ended) connectLater(reason)
    })
  }

  /** What is wrong with the connection, if the message shows it. */
  function read(data: RawData): string | undefined {
    const parsed = message.safeParse(toJson(data))
    if (!parsed.success) return `no notice of a head: ${String(data).slice(0, 100)}`
    if ('chainId' in parsed.data)
      return parsed.data.chainId === BigInt(chainId)
        ? undefined
        : `its chain id is ${parsed.data.chainId}, not ${chainId}`
    if ('head' in parsed.data) {
      failures = 0
      listener(parsed.data.head)
    } else listener()
    return undefined
  }

  function connectLater(reason: string): void {
    const delayMs = Math.min(shortestDelayMs * 2 ** failures, longestDelayMs)
    failures += 1
    const level = failures === 1 ? 'warn' : 'debug'
    log[level]({ ...facts, reason: redact(reason), delayMs }, 'WebSocket ended; polling meanwhile')
    retry = setTimeout(connect, delayMs)
  }

  function send(
    to: WebSocket,
    request: Readonly<{ id: number; method: string; params: string[] }>,
  ) {
    count(request.method)
    to.send(JSON.stringify({ jsonrpc: '2.0', ...request }))
  }

  connect()
  return () => {
    ended = true
    clearTimeout(retry)
    socket?.terminate()
  }
}

/** `undefined` for what is no JSON. */
function toJson(data: RawData): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}
