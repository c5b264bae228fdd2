import { AppError } from '#src/core/errors.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { ChangeReads, RequestReads } from '#src/requests/requestStore.ts'
import {
  isTerminal,
  type RequestChange,
  type RequestState,
} from '#src/requests/state/requestState.ts'
import { UnknownRequestError } from '#src/requests/unknownRequestError.ts'
import type { Items } from './items.ts'
import { createReaderQueue, type ReaderQueue } from './readerQueue.ts'

/** A change with its request. All subscribers get the same object. */
export type WatchedChange = RequestChange & Readonly<{ request: QuotedRequest }>

/** `after` is ahead of the last change. */
class LaterSeqError extends AppError {
  constructor(seq: number) {
    const message = `the last change of the request is ${seq}`
    const issues = [{ path: ['after'], message }]
    super('INVALID_REQUEST', `after: ${message}`, { field: 'after', issues })
  }
}

type Subscriber = Readonly<{ queue: ReaderQueue<WatchedChange> }> & {
  /** The subscriber's last `seq`; undefined until it is known. */
  seq?: number
}

/** The subscribers of one request in this process. */
export type Topic = Readonly<{
  join: (after: number | undefined) => Items<WatchedChange>
  /** Receives a published change, in any order. Gaps are read from the store. */
  receive: (change: RequestChange) => void
  /** Reads the missing changes if the store has a later `seq`. */
  catchUpTo: (seq: number) => Promise<void>
  /** Ends all subscriptions with the error. */
  fail: (error: unknown) => void
  size: () => number
}>

type Deps = Readonly<{
  store: RequestReads & ChangeReads
  /** Called for each failed read. The hub's next sweep retries it. */
  onFailure: (error: unknown) => void
  onEmpty: () => void
}>

type Options = Readonly<{
  requestId: `0x${string}`
  maxQueued: number
  /** Number of subscribers that receive a change in one turn of the event loop. */
  batchSize: number
}>

/**
 * Dispatches the changes of a request, each once to each subscriber, in order. `latest` is the last change dispatched
 * to all. A subscriber may be ahead of `latest` by its own backlog, never behind it.
 */
export function createTopic(
  { store, onFailure, onEmpty }: Deps,
  { requestId, maxQueued, batchSize }: Options,
): Topic {
  const subscribers = new Set<Subscriber>()
  let request: QuotedRequest | undefined
  let latest: WatchedChange | undefined
  let highestReceived = 0
  let isReading = false
  let isReadWanted = false

  const watched = (state: RequestState): WatchedChange => {
    if (request === undefined) throw new Error(`Request ${requestId} changed before it was read`)
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
  /** Concurrent callers that ask for changes after the same `seq` share one read and its objects. */
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

  const finishIfDone = (subscriber: Subscriber): void => {
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
    finishIfDone(subscriber)
  }

  /** Changes in dispatch, in order, each with the subscribers that still need it. */
  const underWay: { change: WatchedChange; left: Iterator<Subscriber, undefined> }[] = []
  const dispatchNext = (): void => {
    let given = 0
    while (given < batchSize) {
      const [first] = underWay
      if (first === undefined) return
      const { done, value } = first.left.next()
      if (done === true) underWay.shift()
      else give(value, first.change)
      given += 1
    }
    if (underWay.length > 0) setImmediate(dispatchNext)
  }
  const dispatch = (change: WatchedChange): void => {
    latest = change
    underWay.push({ change, left: subscribers.values() })
    // Otherwise dispatching is under way and reaches this change.
    if (underWay.length === 1) dispatchNext()
  }

  const catchUp = async (): Promise<void> => {
    isReadWanted = true
    if (isReading) return
    isReading = true
    try {
      while (isReadWanted && subscribers.size > 0 && latest !== undefined) {
        isReadWanted = false
        // Not shared: a read under way may have started before the change that is missing.
        for (const { state } of await store.changesAfter(requestId, latest.state.seq))
          if (state.seq > latest.state.seq) dispatch(watched(state))
      }
    } catch (error) {
      onFailure(error)
    } finally {
      isReading = false
    }
  }

  /** The state that was read may be older or newer than the changes that were received. */
  const newestOf = (found: WatchedChange): WatchedChange => {
    latest ??= found
    const { seq } = latest.state
    if (Math.max(found.state.seq, highestReceived) > seq) void catchUp()
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
        if (last === undefined)
          throw new Error(`Request ${requestId} has no change after ${reached}`)
        queue.pushAll(backlog)
        reached = last.state.seq
      }
      subscriber.seq = reached
    }
    const isOver = isTerminal(newest.state.status) && subscriber.seq >= newest.state.seq
    if (isOver) queue.finish()
    else finishIfDone(subscriber)
  }

  return {
    join: (after) => {
      const queue = createReaderQueue<WatchedChange>(
        () => {
          subscribers.delete(subscriber)
          if (subscribers.size === 0) onEmpty()
        },
        { maxQueued },
      )
      const subscriber: Subscriber = { queue }
      // Added before the first read, so that no later change is missed.
      subscribers.add(subscriber)
      start(subscriber, after).catch(queue.fail)
      return queue.items
    },
    receive: ({ state }) => {
      highestReceived = Math.max(highestReceived, state.seq)
      if (latest === undefined || state.seq <= latest.state.seq) return
      if (state.seq === latest.state.seq + 1) dispatch(watched(state))
      else void catchUp()
    },
    catchUpTo: async (seq) => {
      highestReceived = Math.max(highestReceived, seq)
      if (latest !== undefined && seq > latest.state.seq) await catchUp()
    },
    fail: (error) => {
      for (const { queue } of subscribers) queue.fail(error)
    },
    size: () => subscribers.size,
  }
}

/**
 * Shares reads between callers. Calls during a read share the next read, which starts when the current one ends. No
 * caller gets data from a read that started before its call.
 */
function createSharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  const begin = (): Promise<Result> => {
    next = undefined
    const reading = read()
    underWay = reading
    const done = () => {
      if (underWay === reading) underWay = undefined
    }
    reading.then(done, done)
    return reading
  }

  return () => {
    if (underWay === undefined) return begin()
    next ??= underWay.then(begin, begin)
    return next
  }
}
