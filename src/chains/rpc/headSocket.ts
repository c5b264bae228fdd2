import { type Hash, type Hex, keccak256, toRlp } from 'viem'
import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { backoffMs } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { redactUrl } from './redact.ts'
import { type Header, parseHeader } from './rpcAnswer.ts'

/** Delay before a new connection. Doubles after each connection that has announced no block. */
const reconnectBounds = { minMs: 250, maxMs: 30_000 }
/** Time between pings. A peer that is silent for two pings is gone, even if TCP has not noticed. */
const pingMs = 15_000
const connectMs = 10_000
/** A `newHeads` message has about 2 kB. */
const maxMessageBytes = 256 * 1024

const quantityShape = /^0x[0-9a-f]{1,16}$/i
const quantity = z.string().regex(quantityShape).transform(BigInt)
const reply = z.union([
  z
    .object({ id: z.literal(1), result: quantity })
    .transform(({ result }): Message => ({ kind: 'chainId', chainId: result })),
  z
    .object({ id: z.literal(2), result: z.string() })
    .transform((): Message => ({ kind: 'subscribed' })),
])

/** Called with an announced block. Called without arguments if announcements may have been missed. */
export type OnHead = (number?: bigint, header?: Header) => void

type Deps = Readonly<{
  log: Log
  redact: (text: string) => string
  count: (method: string) => void
}>

/**
 * Subscribes to `newHeads` over a WebSocket, and reconnects after each failure. `listener` gets the number of the
 * announced block, which is unverified, and its header if the block's hash proves each field. The RPC endpoints must
 * confirm that the chain contains the block. Returns the function that unsubscribes.
 */
export function subscribeToHeads(
  { log, redact, count }: Deps,
  { url, chainId }: Readonly<{ url: string; chainId: number }>,
  listener: OnHead,
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
    let lastMessageAt = Date.now()
    const watchdog = setInterval(() => {
      if (Date.now() - lastMessageAt > 2 * pingMs) opened.terminate()
      else if (opened.readyState === WebSocket.OPEN) opened.ping()
    }, pingMs)
    let reason = 'closed'
    opened.on('open', () => {
      send(opened, { id: 1, method: 'eth_chainId', params: [] })
      send(opened, { id: 2, method: 'eth_subscribe', params: ['newHeads'] })
    })
    opened.on('pong', () => {
      lastMessageAt = Date.now()
    })
    opened.on('message', (data) => {
      lastMessageAt = Date.now()
      const fault = take(readMessage(data))
      if (fault === undefined) return
      reason = fault
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

  /** Returns the reason to close the connection; undefined if there is none. */
  function take(message: Message): string | undefined {
    switch (message.kind) {
      case 'head':
        failures = 0
        listener(BigInt(message.head.number), provenHeader(message.head))
        return undefined
      case 'subscribed':
        listener()
        return undefined
      case 'chainId':
        return message.chainId === BigInt(chainId)
          ? undefined
          : `its chain id is ${message.chainId}, not ${chainId}`
      case 'unknown':
        return `not a newHeads message: ${message.text}`
    }
  }

  function connectLater(reason: string): void {
    failures += 1
    const delayMs = backoffMs(failures, reconnectBounds)
    const level = failures === 1 ? 'warn' : 'debug'
    log[level](
      { ...facts, reason: redact(reason), delayMs },
      'WebSocket ended; polling until it reconnects',
    )
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

type Head = Readonly<Record<string, unknown> & { number: string }>

type Message =
  | Readonly<{ kind: 'head'; head: Head }>
  | Readonly<{ kind: 'chainId'; chainId: bigint }>
  | Readonly<{ kind: 'subscribed' }>
  | Readonly<{ kind: 'unknown'; text: string }>

function readMessage(data: RawData): Message {
  const json = toJson(data)
  const head = headIn(json)
  if (head !== undefined) return { kind: 'head', head }
  const parsed = reply.safeParse(json)
  return parsed.success ? parsed.data : { kind: 'unknown', text: String(data).slice(0, 100) }
}

/** The JSON header in a `newHeads` message; undefined for another message. */
function headIn(json: unknown): Head | undefined {
  const { params } = (json ?? {}) as Readonly<{ params?: Readonly<{ result?: Partial<Head> }> }>
  const { number } = params?.result ?? {}
  const isHead = typeof number === 'string' && quantityShape.test(number)
  return isHead ? { ...params?.result, number } : undefined
}

/** The parsed header. Undefined if its hash does not match its fields. */
function provenHeader(head: Head): Header | undefined {
  const hash = headerHash(head)
  if (hash === undefined || hash !== head['hash']) return undefined
  try {
    return parseHeader(head)
  } catch {
    return undefined
  }
}

/** `undefined` if it is not JSON. */
function toJson(data: RawData): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined
  }
}

/** The fields of a header in the order of their encoding. Numbers are encoded without leading zeros. */
const fields = {
  parentHash: 'bytes',
  sha3Uncles: 'bytes',
  miner: 'bytes',
  stateRoot: 'bytes',
  transactionsRoot: 'bytes',
  receiptsRoot: 'bytes',
  logsBloom: 'bytes',
  difficulty: 'number',
  number: 'number',
  gasLimit: 'number',
  gasUsed: 'number',
  timestamp: 'number',
  extraData: 'bytes',
  mixHash: 'bytes',
  nonce: 'bytes',
} as const

/** The fields that later forks added. A header has the first n of them, depending on its fork. */
const laterFields = {
  baseFeePerGas: 'number',
  withdrawalsRoot: 'bytes',
  blobGasUsed: 'number',
  excessBlobGas: 'number',
  parentBeaconBlockRoot: 'bytes',
  requestsHash: 'bytes',
} as const

const isHex = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

/**
 * Computes a block's hash from the fields of its JSON-RPC object. If it equals the known hash, it proves every header
 * field. Undefined for a block without Ethereum's header format.
 * @source go-ethereum 1.14.9, core/types.Header and Header.Hash
 */
export function headerHash(printed: Readonly<Record<string, unknown>>): Hash | undefined {
  const later = Object.entries(laterFields)
  const count = later.findIndex(([name]) => printed[name] == null)
  const present = count < 0 ? later : later.slice(0, count)
  // A field after a missing one would not be hashed, so that its value would be unproven.
  if (later.slice(present.length).some(([name]) => printed[name] != null)) return undefined
  const items: Hex[] = []
  for (const [name, kind] of [...Object.entries(fields), ...present]) {
    const value = printed[name]
    const item = kind === 'number' ? toMinimal(value) : value
    if (!isHex(item)) return undefined
    items.push(item)
  }
  return keccak256(toRlp(items))
}

/** The bytes of a number without leading zeros; empty for 0. */
function toMinimal(value: unknown): Hex | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}
