import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { pause } from '#src/chains/backoff.ts'
import type { Log } from '#src/config/log.ts'
import { type Bus, createLocalBus, type Wakeup } from './bus.ts'
import { encodeMessage, type Message, parseMessage } from './busMessage.ts'
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
