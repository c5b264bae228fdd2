import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Log } from '#src/log.ts'
import { type Bus, createLocalBus, type Wakeup } from './bus.ts'
import { encodeMessage, type Message, parseMessage } from './busMessage.ts'
import { readStream } from './streamReader.ts'

type Options = Readonly<{
  url: string
  /** Processes that share it hear each other. */
  stream?: string
}>

/** About 10 MB, and minutes of a busy gateway: who falls behind further looks at everything. */
const longestStream = 10_000

/** Messages on their way to Redis; what comes beyond is for the others to miss, and to find out. */
const mostUnanswered = 1_000

const mostPublishers = 1_000
const answerMs = 10_000

/**
 * Between processes: by a stream in Redis, which each reads on from where it is, also after its connection
 * broke. What cannot be carried is made known as `missed`, once it can be again.
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
      // What was under way when a connection broke fails at once.
      maxRetriesPerRequest: 0,
      retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
      keepAlive: 10_000,
    })
    // Without the error's own words for it the URL stays out of the log, and the password in it.
    redis.on('error', (error) => fail(error))
    return redis
  }

  let isFailing = false
  const fail = (error: unknown): void => {
    if (!(isFailing || stopping.signal.aborted))
      log.warn(
        { reason: reasonOf(error) },
        'Redis does not answer: other processes wait for sweeps',
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
    if (writer.status !== 'ready' || unanswered >= mostUnanswered) {
      isBehind = true
      return
    }
    unanswered += 1
    const text = encodeMessage({ publisher, count, wakeups })
    writer
      .xadd(stream, 'MAXLEN', '~', longestStream, '*', 'm', text)
      .then(recover, (error) => {
        isBehind = true
        fail(error)
      })
      .finally(() => {
        unanswered -= 1
        if (isBehind && unanswered === 0) tellMissed()
      })
  }
  const tellMissed = (): void => {
    if (!isBehind || writer.status !== 'ready') return
    isBehind = false
    send([{ kind: 'missed' }])
  }
  writer.on('ready', tellMissed)

  /** The count of the last message heard, by publisher. */
  const counts = new LRUCache<string, number>({ max: mostPublishers })
  const hear = (text: string): void => {
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
    onMessage: hear,
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
      // What was published last is still on its way.
      if (writer.status === 'ready') await writer.quit().catch(() => {})
      else writer.disconnect()
      await reading
      await local.close()
    },
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message?.split('\n')[0] ?? 'unknown'
}
