import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { encodeState, parseState } from '#src/requests/state/stateJson.ts'
import { type Bus, createLocalBus, type Wakeup } from './bus.ts'

type Options = Readonly<{
  url: string
  /** Name of the stream. Processes with the same stream receive each other's messages. */
  stream?: string
}>

/**
 * Maximum length of the stream: about 10 MB, or minutes of a busy gateway. A reader that falls further behind gets
 * `missed`.
 */
const maxStreamLength = 10_000

/** Maximum number of unanswered writes. Further messages are dropped and replaced by one `missed`. */
const maxUnanswered = 1_000

const maxPublishers = 1_000
const closeMs = 1_000

const connection = {
  commandTimeout: 10_000,
  autoResendUnfulfilledCommands: false,
  // Pending commands fail at once when the connection breaks.
  maxRetriesPerRequest: 0,
  retryStrategy: (attempts: number) => Math.min(attempts * 100, 2_000),
  keepAlive: 10_000,
} as const

const missed = [{ kind: 'missed' }] as const satisfies readonly Wakeup[]

/**
 * A bus between processes, over a Redis stream. Each process continues from its position after a lost connection. If it
 * could not send messages, it publishes `missed` once Redis answers again.
 */
export function createRedisBus(
  { log }: Readonly<{ log: Log }>,
  { url, stream = 'crossquote:wakeups' }: Options,
): Bus {
  const local = createLocalBus()
  const publisher = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping

  let isFailing = false
  const onFailure = (error: unknown): void => {
    if (!(isFailing || signal.aborted))
      log.warn(
        { reason: failureOf(error) },
        'Redis does not answer; other processes see changes with a delay',
      )
    isFailing = true
  }
  const onAnswer = (): void => {
    if (isFailing) log.info('Redis answers again')
    isFailing = false
  }

  const connect = (name: string, enableOfflineQueue: boolean): Redis => {
    const connectionName = `crossquote-${name}-${publisher}`
    const redis = new Redis(url, { ...connection, connectionName, enableOfflineQueue })
    return redis.on('error', onFailure)
  }
  const writer = connect('writer', false)
  const reader = connect('reader', true)
  const sender = new Sender({ redis: writer, stream, publisher, onAnswer, onFailure })
  const isAfterGap = createGapDetector()

  const onMessage = (text: string): void => {
    onAnswer()
    const received = parseMessage(text)
    if (received?.publisher === publisher) return
    if (received === undefined || isAfterGap(received)) local.publish(missed)
    local.publish(received?.wakeups ?? [])
  }
  const onGap = () => local.publish(missed)
  const reading = readStream({ redis: reader, stream, onMessage, onGap, onFailure, signal })

  return {
    publish: (wakeups) => {
      if (wakeups.length === 0) return
      local.publish(wakeups)
      sender.send(wakeups)
    },
    listen: local.listen,
    close: async () => {
      stopping.abort()
      reader.disconnect()
      // Waits for the last published messages, but not for a Redis that hangs.
      const quitting = new AbortController()
      const quit = writer.status === 'ready' ? writer.quit().catch(() => {}) : undefined
      await Promise.race([quit, pause(closeMs, quitting.signal)])
      quitting.abort()
      writer.disconnect()
      await reading
      await local.close()
    },
  }
}

type SenderArgs = Readonly<{
  redis: Redis
  stream: string
  publisher: string
  onAnswer: () => void
  onFailure: (error: unknown) => void
}>

/** Sends wake-ups as messages. Those that Redis does not take are replaced by one `missed` when it answers again. */
class Sender {
  readonly #args: SenderArgs
  #count = 0
  #unanswered = 0
  #isBehind = false

  constructor(args: SenderArgs) {
    this.#args = args
    args.redis.on('ready', () => this.#sendMissed())
  }

  send(wakeups: readonly Wakeup[]): void {
    const { redis, stream, publisher, onAnswer, onFailure } = this.#args
    // Counts dropped messages too, so that receivers detect the gap.
    this.#count += 1
    if (redis.status !== 'ready' || this.#unanswered >= maxUnanswered) {
      this.#isBehind = true
      return
    }
    this.#unanswered += 1
    const text = encodeMessage({ publisher, count: this.#count, wakeups })
    redis
      .xadd(stream, 'MAXLEN', '~', maxStreamLength, '*', 'm', text)
      .then(onAnswer, (error) => {
        this.#isBehind = true
        onFailure(error)
      })
      .finally(() => {
        this.#unanswered -= 1
        if (this.#unanswered === 0) this.#sendMissed()
      })
  }

  #sendMissed(): void {
    if (!this.#isBehind || this.#args.redis.status !== 'ready') return
    this.#isBehind = false
    this.send(missed)
  }
}

/** Tells whether messages of the same publisher are missing before a message. */
function createGapDetector(): (message: Message) => boolean {
  /** Count of the last received message, by publisher. */
  const counts = new LRUCache<string, number>({ max: maxPublishers })
  return ({ publisher, count }) => {
    const before = counts.get(publisher)
    counts.set(publisher, count)
    return before !== undefined && count !== before + 1
  }
}

/** Code or first line of the error's message. The rest may contain the URL with its password. */
const failureOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message?.split('\n')[0] ?? 'unknown'
}

/** The wake-ups of one `publish` call, as a message between processes. */
type Message = Readonly<{
  /** Id of the bus that published the message. */
  publisher: string
  /** Numbers the publisher's messages from 1, so that receivers detect a gap. */
  count: number
  wakeups: readonly Wakeup[]
}>

const encodeMessage = ({ wakeups, ...rest }: Message): string =>
  JSON.stringify({ ...rest, wakeups: wakeups.map(encodeWakeup) }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )

const encodeWakeup = (wakeup: Wakeup) =>
  wakeup.kind === 'change'
    ? { ...wakeup, change: { ...wakeup.change, state: encodeState(wakeup.change.state) } }
    : wakeup

const wakeup = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('change'),
    change: z.object({
      requestId: z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value))),
      state: z.unknown().transform(parseState),
    }),
  }),
  z.object({ kind: z.literal('hint'), chainId: z.int().positive().transform(toChainId) }),
  z.object({ kind: z.literal('missed') }),
])

const message = z.object({
  publisher: z.string(),
  count: z.int().positive(),
  wakeups: z.array(wakeup),
})

/** Undefined if the text is not a valid message, for example a message of another version. */
function parseMessage(text: string): Message | undefined {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

type Args = Readonly<{
  redis: Redis
  stream: string
  onMessage: (text: string) => void
  /** Messages may have been lost: the stream was replaced or truncated after our position. */
  onGap: () => void
  onFailure: (error: unknown) => void
  signal: AbortSignal
}>

/** A stream entry. Its id is a millisecond time and a counter. */
type Entry = [id: string, fields: string[]]

const blockMs = 5_000
const maxEntries = 500
const retryMs = 200

/** Reads a stream from its current end until `signal` fires, across lost connections. */
async function readStream({
  redis,
  stream,
  onMessage,
  onGap,
  onFailure,
  signal,
}: Args): Promise<void> {
  let last: string | undefined
  let isLocated = false

  /** Checks that our position is still in the stream. If not, continues from its end. */
  const locate = async (): Promise<void> => {
    const [oldest] = (await redis.xrange(stream, '-', '+', 'COUNT', 1)) as Entry[]
    const [newest] = (await redis.xrevrange(stream, '+', '-', 'COUNT', 1)) as Entry[]
    const end = newest?.[0] ?? '0-0'
    const isWhole =
      last !== undefined && oldest !== undefined && !isAfter(oldest[0], last) && !isAfter(last, end)
    if (!isWhole) {
      last = end
      onGap()
    }
    isLocated = true
  }

  while (!signal.aborted) {
    try {
      if (!isLocated) await locate()
      const read = await redis.xread(
        'COUNT',
        maxEntries,
        'BLOCK',
        blockMs,
        'STREAMS',
        stream,
        last ?? '0-0',
      )
      for (const [id, fields] of (read?.[0]?.[1] ?? []) as Entry[]) {
        last = id
        onMessage(fields[1] ?? '')
      }
    } catch (error) {
      if (signal.aborted) return
      isLocated = false
      onFailure(error)
      // Replaces a connection that hangs without being closed.
      if (redis.status === 'ready') redis.disconnect(true)
      await pause(retryMs, signal)
    }
  }
}

function isAfter(one: string, other: string): boolean {
  const [time = 0n, count = 0n] = one.split('-').map(BigInt)
  const [otherTime = 0n, otherCount = 0n] = other.split('-').map(BigInt)
  return time > otherTime || (time === otherTime && count > otherCount)
}

/** Data in Redis that the processes of one database share: wake-ups, counts of rate limits, and market feeds. */
type Shared = 'wakeups' | 'rate' | 'feed'

/**
 * The Redis name of shared data. It contains the name of the database, so that one Redis can serve several databases.
 * Databases with the same name on different servers need separate Redis servers or Redis databases.
 */
export function redisName(shared: Shared, databaseUrl: string | undefined): string {
  const database = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return ['crossquote', shared, database].filter((part) => part !== '').join(':')
}
