import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { ChangeReads, RequestReads } from '#src/requests/requestStore.ts'
import type { WakeupSource } from './bus.ts'
import type { Items } from './readerQueue.ts'
import { Topic, type WatchedChange } from './topic.ts'

/** The subscriptions of this process. */
export type Hub = Readonly<{
  /**
   * Yields the current state of the request, then each change once, in order, until the request ends. With `after`,
   * yields only the changes after that `seq`. Starts at once: a reader that stops early must call `return`.
   * Fails with UNKNOWN_REQUEST, INVALID_REQUEST (`after` is ahead of the last change), SUBSCRIBER_TOO_SLOW, or what
   * the store throws.
   */
  watch: (requestId: `0x${string}`, after?: number) => Items<WatchedChange>
  subscribers: () => number
  /** Ends all subscriptions with SERVICE_UNAVAILABLE. Clients subscribe again. */
  close: () => void
}>

type Options = Readonly<{
  /** Interval of the sweep, which finds changes whose wake-up was lost. */
  sweepSeconds: number
  /** Maximum number of changes that wait for one subscriber. */
  maxQueued: number
  /** Number of a request's subscribers that receive a change in one turn of the event loop. */
  batchSize?: number
}>

/** Number of requests per query of a sweep. */
const sweepSize = 500

export function createHub(
  {
    log,
    store,
    bus,
  }: Readonly<{
    log: Log
    store: RequestReads & ChangeReads
    bus: WakeupSource
  }>,
  { sweepSeconds, maxQueued, batchSize = 250 }: Options = { sweepSeconds: 5, maxQueued: 64 },
): Hub {
  const topics = new Map<string, Topic>()
  let isFailing = false
  let isSweeping = false
  let isSweepWanted = false

  /** Logs once per outage. The next sweep retries. */
  const onFailure = (error: unknown): void => {
    if (!isFailing) log.warn({ err: error }, 'Could not read changes; retrying')
    isFailing = true
  }

  const sweepOnce = async (): Promise<void> => {
    const ids = [...topics.keys()]
    for (let from = 0; from < ids.length; from += sweepSize) {
      const seqs = await store.seqsOf(ids.slice(from, from + sweepSize))
      isFailing = false
      await Promise.all([...seqs].map(([id, seq]) => topics.get(id)?.catchUpTo(seq)))
    }
  }

  const sweep = async (): Promise<void> => {
    isSweepWanted = true
    if (isSweeping) return
    isSweeping = true
    try {
      while (isSweepWanted) {
        isSweepWanted = false
        await sweepOnce()
      }
    } catch (error) {
      onFailure(error)
    } finally {
      isSweeping = false
    }
  }

  const leave = bus.listen((wakeup) => {
    switch (wakeup.kind) {
      case 'change':
        return topics.get(wakeup.change.requestId)?.receive(wakeup.change)
      case 'missed':
        return void sweep()
      case 'hint':
        return undefined
      default:
        return wakeup satisfies never
    }
  })
  const timer = setInterval(() => void sweep(), sweepSeconds * 1000)

  const topicOf = (requestId: `0x${string}`): Topic => {
    const known = topics.get(requestId)
    if (known !== undefined) return known
    const onEmpty = () => void topics.delete(requestId)
    const topic = new Topic({ store, onFailure, onEmpty }, { requestId, maxQueued, batchSize })
    topics.set(requestId, topic)
    return topic
  }

  return {
    watch: (requestId, after) => topicOf(requestId).join(after),
    subscribers: () => [...topics.values()].reduce((sum, topic) => sum + topic.size, 0),
    close: () => {
      clearInterval(timer)
      leave()
      for (const topic of topics.values())
        topic.fail(
          new AppError('SERVICE_UNAVAILABLE', 'The server is shutting down; subscribe again'),
        )
    },
  }
}
