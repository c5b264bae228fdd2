import { AppError } from '#src/errors.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { UnknownRequestError } from '#src/requests/requestStore.ts'
import {
  isTerminal,
  type RequestChange,
  type RequestState,
} from '#src/requests/state/requestState.ts'
import { createReaderQueue, type ReaderQueue } from './readerQueue.ts'
import { createSharedRead } from './sharedRead.ts'

/** A change with the request as it was quoted: one object for all who watch. */
export type WatchedChange = RequestChange & Readonly<{ request: QuotedRequest }>

/** Nobody has been given a change that has not been made. */
class LaterSeqError extends AppError {
  constructor(seq: number) {
    const message = `after: the last change of the request is ${seq}`
    super('INVALID_REQUEST', message, { field: 'after', issues: [{ path: 'after', message }] })
  }
}

type Subscriber = Readonly<{ queue: ReaderQueue<WatchedChange> }> & {
  /** The last `seq` that it was given or has by itself; undefined until that is known. */
  seq?: number
}

/** All who watch one request in this process. */
export type Topic = Readonly<{
  join: (after: number | undefined) => AsyncIterableIterator<WatchedChange>
  /** Takes a change that was heard of, in whatever order: gaps are read. */
  hear: (change: RequestChange) => void
  /** Reads what is missing where the store has got to a later `seq`. */
  catchUpTo: (seq: number) => Promise<void>
  /** Ends all that watch. */
  fail: (error: unknown) => void
  size: () => number
}>

type Deps = Readonly<{
  store: Pick<RequestStore, 'find' | 'changesAfter'>
  /** Is told of reads that failed; the hub asks again. */
  onFailure: (error: unknown) => void
  onEmpty: () => void
}>

type Options = Readonly<{
  requestId: `0x${string}`
  most: number
  /** Subscribers who are given a change before anything else has its turn. */
  atOnce: number
}>

/**
 * Hands out the changes of a request: each once to each subscriber, in order. `latest` is the last that all
 * were given; a subscriber may be ahead of it by what it read itself, never behind it.
 */
export function createTopic(
  { store, onFailure, onEmpty }: Deps,
  { requestId, most, atOnce }: Options,
): Topic {
  const subscribers = new Set<Subscriber>()
  let request: QuotedRequest | undefined
  let latest: WatchedChange | undefined
  let highestHeard = 0
  let isReading = false
  let isReadWanted = false

  const watched = (state: RequestState): WatchedChange => {
    if (request === undefined) throw new Error(`${requestId} changes before it was read`)
    return { requestId, request, state }
  }
  const findShared = createSharedRead(async () => {
    const stored = await store.find(requestId)
    if (stored === undefined) return undefined
    const { state, version: _, ...quoted } = stored
    request ??= quoted
    return watched(state)
  })
  const backlogs = new Map<number, Promise<readonly WatchedChange[]>>()
  /** One read, and the same objects, for all who ask after the same `seq` meanwhile. */
  const readBacklog = (after: number): Promise<readonly WatchedChange[]> => {
    const known = backlogs.get(after)
    if (known !== undefined) return known
    const read = store
      .changesAfter(requestId, after)
      .then((changes) => changes.map(({ state }) => watched(state)))
      .finally(() => backlogs.delete(after))
    backlogs.set(after, read)
    return read
  }

  const settle = (subscriber: Subscriber): void => {
    const { seq, queue } = subscriber
    if (latest === undefined || seq === undefined) return
    if (isTerminal(latest.state.status) && seq >= latest.state.seq) queue.finish()
  }

  const give = (subscriber: Subscriber, change: WatchedChange): void => {
    const { seq } = change.state
    if (subscriber.seq === undefined) return
    if (subscriber.seq < seq) {
      subscriber.seq = seq
      subscriber.queue.push(change)
    }
    settle(subscriber)
  }

  /** Changes that not all have yet, in order; of the first the subscribers who are still to get it. */
  const underWay: { change: WatchedChange; left: Iterator<Subscriber, undefined> }[] = []
  const giveOn = (): void => {
    let given = 0
    while (given < atOnce) {
      const [first] = underWay
      if (first === undefined) return
      const { done, value } = first.left.next()
      if (done === true) underWay.shift()
      else give(value, first.change)
      given += 1
    }
    if (underWay.length > 0) setImmediate(giveOn)
  }
  const deliver = (change: WatchedChange): void => {
    latest = change
    underWay.push({ change, left: subscribers.values() })
    // Else it is under way, and comes to this one by itself.
    if (underWay.length === 1) giveOn()
  }

  const catchUp = async (): Promise<void> => {
    isReadWanted = true
    if (isReading) return
    isReading = true
    try {
      while (isReadWanted && subscribers.size > 0 && latest !== undefined) {
        isReadWanted = false
        // A read of its own: one that is under way may have begun before the change that is looked for.
        for (const { state } of await store.changesAfter(requestId, latest.state.seq))
          if (state.seq > latest.state.seq) deliver(watched(state))
      }
    } catch (error) {
      onFailure(error)
    } finally {
      isReading = false
    }
  }

  /** What was read may be behind what was heard, and ahead of it. */
  const newestOf = (found: WatchedChange): WatchedChange => {
    latest ??= found
    const { seq } = latest.state
    if (Math.max(found.state.seq, highestHeard) > seq) void catchUp()
    return found.state.seq < seq ? latest : found
  }

  const start = async (subscriber: Subscriber, after: number | undefined): Promise<void> => {
    const { queue } = subscriber
    const found = await findShared()
    if (!queue.isOpen()) return
    if (found === undefined) throw new UnknownRequestError(requestId)
    const newest = newestOf(found)
    if (after === undefined) {
      subscriber.seq = newest.state.seq
      queue.push(newest)
    } else {
      if (after > newest.state.seq) throw new LaterSeqError(newest.state.seq)
      let reached = after
      while (reached < Math.max(newest.state.seq, latest?.state.seq ?? 0)) {
        const backlog = await readBacklog(reached)
        if (!queue.isOpen()) return
        const last = backlog.at(-1)
        if (last === undefined) throw new Error(`${requestId} has no change after ${reached}`)
        queue.pushAll(backlog)
        reached = last.state.seq
      }
      subscriber.seq = reached
    }
    const isOver = isTerminal(newest.state.status) && subscriber.seq >= newest.state.seq
    if (isOver) queue.finish()
    else settle(subscriber)
  }

  return {
    join: (after) => {
      const queue = createReaderQueue<WatchedChange>(
        () => {
          subscribers.delete(subscriber)
          if (subscribers.size === 0) onEmpty()
        },
        { most },
      )
      const subscriber: Subscriber = { queue }
      // Before anything is read: what changes from here on is heard.
      subscribers.add(subscriber)
      start(subscriber, after).catch(queue.fail)
      return queue.items
    },
    hear: ({ state }) => {
      highestHeard = Math.max(highestHeard, state.seq)
      if (latest === undefined || state.seq <= latest.state.seq) return
      if (state.seq === latest.state.seq + 1) deliver(watched(state))
      else void catchUp()
    },
    catchUpTo: async (seq) => {
      highestHeard = Math.max(highestHeard, seq)
      if (latest !== undefined && seq > latest.state.seq) await catchUp()
    },
    fail: (error) => {
      for (const { queue } of subscribers) queue.fail(error)
    },
    size: () => subscribers.size,
  }
}
