import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { encodeState, parseState } from '#src/requests/state/stateJson.ts'
import { type Bus, createLocalBus, type Wakeup } from './bus.ts'
import { readStream } from './streamReader.ts'

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
const answerMs = 10_000
const closeMs = 1_000

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
  const connect = (name: string, offline: boolean): Redis => {
    const redis = new Redis(url, {
      connectionName: `crossquote-${name}-${publisher}`,
      commandTimeout: answerMs,
      enableOfflineQueue: offline,
      autoResendUnfulfilledCommands: false,
      // Pending commands fail at once when the connection breaks.
      maxRetriesPerRequest: 0,
      retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
      keepAlive: 10_000,
    })
    redis.on('error', (error) => fail(error))
    return redis
  }

  let isFailing = false
  const fail = (error: unknown): void => {
    if (!(isFailing || stopping.signal.aborted))
      log.warn(
        { reason: failureOf(error) },
        'Redis does not answer; other processes see changes with a delay',
      )
    isFailing = true
  }
  const recover = (): void => {
    if (isFailing) log.info('Redis answers again')
    isFailing = false
  }

  const writer = connect('writer', false)
  const reader = connect('reader', true)
  let count = 0
  let unanswered = 0
  let isBehind = false

  const send = (wakeups: readonly Wakeup[]): void => {
    count += 1
    if (writer.status !== 'ready' || unanswered >= maxUnanswered) {
      isBehind = true
      return
    }
    unanswered += 1
    const text = encodeMessage({ publisher, count, wakeups })
    writer
      .xadd(stream, 'MAXLEN', '~', maxStreamLength, '*', 'm', text)
      .then(recover, (error) => {
        isBehind = true
        fail(error)
      })
      .finally(() => {
        unanswered -= 1
        if (isBehind && unanswered === 0) publishMissed()
      })
  }
  const publishMissed = (): void => {
    if (!isBehind || writer.status !== 'ready') return
    isBehind = false
    send([{ kind: 'missed' }])
  }
  writer.on('ready', publishMissed)

  /** Count of the last received message, by publisher. */
  const counts = new LRUCache<string, number>({ max: maxPublishers })
  const receive = (text: string): void => {
    recover()
    const message = parseMessage(text)
    if (message?.publisher === publisher) return
    if (message === undefined || isAfterGap(message)) local.publish([{ kind: 'missed' }])
    local.publish(message?.wakeups ?? [])
  }
  const isAfterGap = ({ publisher: from, count: at }: Message): boolean => {
    const before = counts.get(from)
    counts.set(from, at)
    return before !== undefined && at !== before + 1
  }
  const reading = readStream({
    redis: reader,
    stream,
    onMessage: receive,
    onGap: () => local.publish([{ kind: 'missed' }]),
    onFailure: fail,
    signal: stopping.signal,
  })

  return {
    publish: (wakeups) => {
      if (wakeups.length === 0) return
      local.publish(wakeups)
      send(wakeups)
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
