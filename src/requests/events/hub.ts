import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Bus } from './bus.ts'
import { createTopic, type Topic, type WatchedChange } from './topic.ts'

/** Serves the subscribers of this process. */
export type Hub = Readonly<{
  /**
   * The request as it stands, then each change once, in order, until it is done; with `after` the changes
   * after that `seq` alone. Begins at once: whoever is through with it early calls `return`. Fails with
   * UNKNOWN_REQUEST, with INVALID_REQUEST for an `after` that no change has had yet, with what the store throws, and with SUBSCRIBER_TOO_SLOW once too many changes wait.
   */
  watch: (requestId: `0x${string}`, after?: number) => AsyncIterableIterator<WatchedChange>
  subscribers: () => number
  /** Ends all subscriptions with SERVICE_UNAVAILABLE, for their clients to come again. */
  close: () => void
}>

type Options = Readonly<{
  /** How soon a change is found whose wake-up was lost. */
  sweepSeconds: number
  /** Changes that may wait for a subscriber to read them. */
  most: number
  /** Subscribers of one request who are given a change before anything else has its turn. */
  atOnce?: number
}>

/** How many requests one query of a sweep asks for. */
const sweepSize = 500

export function createHub(
  {
    log,
    store,
    bus,
  }: Readonly<{
    log: Log
    store: Pick<RequestStore, 'find' | 'changesAfter' | 'seqsOf'>
    bus: Pick<Bus, 'listen'>
  }>,
  { sweepSeconds, most, atOnce = 250 }: Options = { sweepSeconds: 5, most: 64 },
): Hub {
  const topics = new Map<string, Topic>()
  let isFailing = false
  let isSweeping = false
  let isSweepWanted = false

  /** Once an outage: the next sweep tries again. */
  const onFailure = (error: unknown): void => {
    if (!isFailing) log.warn({ err: error }, 'Changes could not be read; trying again')
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
        return topics.get(wakeup.change.requestId)?.hear(wakeup.change)
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
    const topic = createTopic({ store, onFailure, onEmpty }, { requestId, most, atOnce })
    topics.set(requestId, topic)
    return topic
  }

  return {
    watch: (requestId, after) => topicOf(requestId).join(after),
    subscribers: () => [...topics.values()].reduce((sum, topic) => sum + topic.size(), 0),
    close: () => {
      clearInterval(timer)
      leave()
      for (const topic of topics.values())
        topic.fail(new AppError('SERVICE_UNAVAILABLE', 'This server stops; subscribe again'))
    },
  }
}
