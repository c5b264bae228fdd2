import { AppError } from '#src/core/errors.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import {
  type ChangeReads,
  type RequestReads,
  UnknownRequestError,
} from '#src/requests/requestStore.ts'
import {
  isTerminal,
  type RequestChange,
  type RequestState,
} from '#src/requests/state/requestState.ts'
import { createReaderQueue, type Items, type ReaderQueue } from './readerQueue.ts'

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

type Store = RequestReads & ChangeReads

type Deps = Readonly<{
  store: Store
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
 * The subscribers of one request in this process. Dispatches the request's changes, each once to each subscriber, in
 * order.
 */
export class Topic {
  readonly #deps: Deps
  readonly #options: Options
  readonly #reads: Reads
  readonly #subscribers = new Set<Subscriber>()
  /** Changes in dispatch, in order, each with the subscribers that still need it. */
  readonly #underWay: { change: WatchedChange; left: Iterator<Subscriber, undefined> }[] = []
  /** The last change dispatched to all. A subscriber may be ahead of it by its own backlog, never behind it. */
  #latest: WatchedChange | undefined
  #highestReceived = 0
  #isReading = false
  #isReadWanted = false

  constructor(deps: Deps, options: Options) {
    this.#deps = deps
    this.#options = options
    this.#reads = new Reads(deps.store, options.requestId)
  }

  get size(): number {
    return this.#subscribers.size
  }

  join(after: number | undefined): Items<WatchedChange> {
    const queue = createReaderQueue<WatchedChange>(() => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0) this.#deps.onEmpty()
    }, this.#options)
    const subscriber: Subscriber = { queue }
    // Added before the first read, so that no later change is missed.
    this.#subscribers.add(subscriber)
    this.#start(subscriber, after).catch(queue.fail)
    return queue.items
  }

  /** Receives a published change, in any order. Gaps are read from the store. */
  receive({ state }: RequestChange): void {
    this.#highestReceived = Math.max(this.#highestReceived, state.seq)
    const latest = this.#latest
    if (latest === undefined || state.seq <= latest.state.seq) return
    if (state.seq === latest.state.seq + 1) this.#dispatch(this.#reads.watched(state))
    else void this.#catchUp()
  }

  /** Reads the missing changes if the store has a later `seq`. */
  async catchUpTo(seq: number): Promise<void> {
    this.#highestReceived = Math.max(this.#highestReceived, seq)
    if (this.#latest !== undefined && seq > this.#latest.state.seq) await this.#catchUp()
  }

  /** Ends all subscriptions with the error. */
  fail(error: unknown): void {
    for (const { queue } of this.#subscribers) queue.fail(error)
  }

  async #start(subscriber: Subscriber, after: number | undefined): Promise<void> {
    const { queue } = subscriber
    const found = await this.#reads.newest()
    if (!queue.isOpen()) return
    if (found === undefined) throw new UnknownRequestError(this.#options.requestId)
    const newest = this.#newestOf(found)
    if (after === undefined) {
      subscriber.seq = newest.state.seq
      queue.push(newest)
    } else {
      if (after > newest.state.seq) throw new LaterSeqError(newest.state.seq)
      const reached = await this.#pushBacklog(queue, after, newest.state.seq)
      if (!queue.isOpen()) return
      subscriber.seq = reached
    }
    finishIfOver(subscriber, newest)
    finishIfOver(subscriber, this.#latest)
  }

  /** The state that was read may be older or newer than the changes that were received. */
  #newestOf(found: WatchedChange): WatchedChange {
    this.#latest ??= found
    const { seq } = this.#latest.state
    if (Math.max(found.state.seq, this.#highestReceived) > seq) void this.#catchUp()
    return found.state.seq < seq ? this.#latest : found
  }

  /** Pushes the changes after `after` up to the newest one, as long as the queue is open. Returns the last `seq`. */
  async #pushBacklog(
    queue: ReaderQueue<WatchedChange>,
    after: number,
    newestSeq: number,
  ): Promise<number> {
    let reached = after
    while (reached < Math.max(newestSeq, this.#latest?.state.seq ?? 0)) {
      const backlog = await this.#reads.backlog(reached)
      if (!queue.isOpen()) break
      const last = backlog.at(-1)
      if (last === undefined)
        throw new Error(`Request ${this.#options.requestId} has no change after ${reached}`)
      queue.pushAll(backlog)
      reached = last.state.seq
    }
    return reached
  }

  async #catchUp(): Promise<void> {
    this.#isReadWanted = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isReadWanted && this.#subscribers.size > 0 && this.#latest !== undefined) {
        this.#isReadWanted = false
        for (const change of await this.#reads.changesAfter(this.#latest.state.seq))
          if (change.state.seq > this.#latest.state.seq) this.#dispatch(change)
      }
    } catch (error) {
      this.#deps.onFailure(error)
    } finally {
      this.#isReading = false
    }
  }

  #dispatch(change: WatchedChange): void {
    this.#latest = change
    this.#underWay.push({ change, left: this.#subscribers.values() })
    // Otherwise dispatching is under way and reaches this change.
    if (this.#underWay.length === 1) this.#dispatchNext()
  }

  #dispatchNext(): void {
    for (let given = 0; given < this.#options.batchSize; given += 1) {
      const [first] = this.#underWay
      if (first === undefined) return
      const { done, value } = first.left.next()
      if (done === true) this.#underWay.shift()
      else this.#give(value, first.change)
    }
    if (this.#underWay.length > 0) setImmediate(() => this.#dispatchNext())
  }

  #give(subscriber: Subscriber, change: WatchedChange): void {
    const { seq } = change.state
    if (subscriber.seq === undefined) return
    if (subscriber.seq < seq) {
      subscriber.seq = seq
      subscriber.queue.push(change)
    }
    finishIfOver(subscriber, this.#latest)
  }
}

/** Ends the subscription if the subscriber has the last change of a request that has ended. */
function finishIfOver({ seq, queue }: Subscriber, latest: WatchedChange | undefined): void {
  if (latest === undefined || seq === undefined) return
  if (isTerminal(latest.state.status) && seq >= latest.state.seq) queue.finish()
}

/** Reads one request and its changes. Concurrent readers share a read and its objects. */
class Reads {
  readonly #store: Store
  readonly #requestId: `0x${string}`
  readonly #backlogs = new Map<number, Promise<readonly WatchedChange[]>>()
  #request: QuotedRequest | undefined

  constructor(store: Store, requestId: `0x${string}`) {
    this.#store = store
    this.#requestId = requestId
  }

  /** The current state; undefined for an unknown request. */
  readonly newest = createSharedRead(async () => {
    const stored = await this.#store.find(this.#requestId)
    if (stored === undefined) return undefined
    const { state, version: _, ...quoted } = stored
    this.#request ??= quoted
    return this.watched(state)
  })

  watched(state: RequestState): WatchedChange {
    const [request, requestId] = [this.#request, this.#requestId]
    if (request === undefined) throw new Error(`Request ${requestId} changed before it was read`)
    return { requestId, request, state }
  }

  /** Not shared: a read under way may have started before the change that is missing. */
  async changesAfter(seq: number): Promise<readonly WatchedChange[]> {
    const changes = await this.#store.changesAfter(this.#requestId, seq)
    return changes.map(({ state }) => this.watched(state))
  }

  /** Concurrent callers that ask for changes after the same `seq` share one read. */
  backlog(after: number): Promise<readonly WatchedChange[]> {
    const known = this.#backlogs.get(after)
    if (known !== undefined) return known
    const read = this.changesAfter(after).finally(() => this.#backlogs.delete(after))
    this.#backlogs.set(after, read)
    return read
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
