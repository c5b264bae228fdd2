import type { Redis } from 'ioredis'
import { pause } from '#src/chains/backoff.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { changesBetween } from './replicaChanges.ts'
import {
  connectReplica,
  isAfter,
  type Position,
  type ReplicaKey,
  redisFailureOf,
  sealMessage,
  snapshotKeyOf,
} from './replicaMessage.ts'
import {
  emptyState,
  type ReplicaSource,
  type ReplicaState,
  replicaStateOf,
} from './replicaState.ts'
import { divideChanges } from './snapshotParts.ts'

/** A term of the lease to publish. `fence` throws once the term is over. */
type Term = Readonly<{ fence: () => Readonly<{ token: bigint }> | undefined }>

type Deps = Readonly<{
  log: Log
  /** The market that this process reads from the chain. */
  market: ReplicaSource
}>

export type ReplicaPublisher = Readonly<{
  /**
   * Publishes each change of the market until the signal fires. Retries while Redis fails.
   * @throws what `fence` throws
   */
  run: (signal: AbortSignal, term: Term) => Promise<void>
  status: () => Readonly<{
    /** Height of the last block that was published in this term. */
    block: bigint | undefined
    /** Whether there is a market to publish. */
    hasMarket: boolean
  }>
}>

type Limits = Readonly<{
  /** Milliseconds after the last message until a heartbeat is published. */
  beatMs: number
  /** Milliseconds between two snapshots for new readers. A snapshot deletes the messages before it from the stream. */
  renewMs: number
  /** If a message would be longer, a snapshot is published instead. */
  maxMessageBytes: number
}>

const usualLimits: Limits = { beatMs: 2_000, renewMs: 20_000, maxMessageBytes: 1_000_000 }

/** Bounds the stream while snapshots fail: about a minute of messages on the fastest chain. */
const maxStreamLength = 1_000

/** Redis deletes a replica an hour after its last snapshot. */
const expiryMs = 3_600_000

const retryMs = 200

/** Maximum number of starts within one lease term. Each start has a higher term in the replica. */
const maxStarts = 1n << 20n

type Place = Readonly<{ url: string; key: ReplicaKey; chainId: ChainId }>

/**
 * Publishes the market of one chain on a Redis stream. Message ids are positions, so that Redis refuses an older term.
 */
export function createReplicaPublisher(
  { log, market }: Deps,
  { url, key, chainId }: Place,
  limits: Limits = usualLimits,
): ReplicaPublisher {
  let block: bigint | undefined
  let starts = 0n
  let isFailing = false

  const fail = (error: unknown): void => {
    if (!isFailing)
      log.warn({ chainId, reason: redisFailureOf(error) }, 'Redis does not take the feed')
    isFailing = true
  }

  function succeed(state: ReplicaState): void {
    block = state.market.block.number
    if (isFailing) log.info({ chainId }, 'Redis takes the feed again')
    isFailing = false
  }

  async function run(signal: AbortSignal, lease: Term): Promise<void> {
    const redis = connectReplica(url, { name: `replica-${chainId}`, waits: false, onError: fail })
    const wakeSignal = createWakeSignal()
    const leave = market.listen((changed) => changed === chainId && wakeSignal.wake())
    signal.addEventListener('abort', wakeSignal.wake)
    starts += 1n
    const term = (lease.fence()?.token ?? 0n) * maxStarts + starts
    const publication = new Publication({ redis, lease, signal, fail }, { key, term, limits })
    try {
      while (!signal.aborted) {
        const state = redis.status === 'ready' ? replicaStateOf(market, chainId) : undefined
        try {
          if (state !== undefined) {
            await publication.publish(state)
            succeed(state)
          }
        } catch (error) {
          if (signal.aborted) return
          publication.restart()
          lease.fence()
          fail(error)
          // Replaces a connection that hangs without being closed.
          if (redis.status === 'ready') redis.disconnect(true)
          await pause(retryMs, signal)
          continue
        }
        await wakeSignal.wait(state === undefined ? retryMs : limits.beatMs)
      }
    } finally {
      block = undefined
      leave()
      signal.removeEventListener('abort', wakeSignal.wake)
      await publication.end()
      redis.disconnect()
    }
  }

  return {
    run,
    status: () => ({ block, hasMarket: market.latest(chainId) !== undefined }),
  }
}

type PublicationDeps = Readonly<{
  redis: Redis
  lease: Term
  signal: AbortSignal
  /** Called if a snapshot for new readers fails. */
  fail: (error: unknown) => void
}>

/** The messages of one term on the stream of a chain. */
class Publication {
  readonly #deps: PublicationDeps
  readonly #key: ReplicaKey
  readonly #term: bigint
  readonly #limits: Limits
  #count = 0n
  /** The state of a reader that has received all messages. Undefined: the next message is a snapshot. */
  #published: ReplicaState | undefined
  #renewedAt = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> | undefined

  constructor(
    deps: PublicationDeps,
    { key, term, limits }: Readonly<{ key: ReplicaKey; term: bigint; limits: Limits }>,
  ) {
    this.#deps = deps
    this.#key = key
    this.#term = term
    this.#limits = limits
    // A restarted Redis may have lost the snapshot, although no command failed.
    deps.redis.on('ready', () => {
      this.#renewedAt = Number.NEGATIVE_INFINITY
    })
  }

  async publish(state: ReplicaState): Promise<void> {
    if (this.#published === undefined) await this.#makeRoom()
    this.#count += 1n
    await this.#sendNext(state)
    this.#published = state
  }

  /** After a failure it is unknown if the message arrived, so the next message is a snapshot. */
  restart(): void {
    this.#published = undefined
  }

  /** Resolves when nothing is being written any more. */
  async end(): Promise<void> {
    await this.#renewing
  }

  async #sendNext(state: ReplicaState): Promise<void> {
    const published = this.#published
    if (published === undefined) return this.#sendSnapshot(state)
    const position = this.#position()
    if (published.market === state.market) {
      const { announced } = state
      return this.#send(await sealMessage(this.#key, { kind: 'beat', position, announced }))
    }
    const changes = changesBetween(published, state)
    const previous = published.market.block.hash
    const sealed = await sealMessage(this.#key, { kind: 'changes', position, previous, changes })
    if (sealed.length > this.#limits.maxMessageBytes) return this.#sendSnapshot(state)
    await this.#send(sealed)
    this.#renewIfDue(state)
  }

  /** Every reader must load this snapshot. */
  async #sendSnapshot(state: ReplicaState): Promise<void> {
    await this.#renewing
    await this.#writeSnapshot(state)
    const position = this.#position()
    await this.#send(await sealMessage(this.#key, { kind: 'snapshot', position }))
  }

  #renewIfDue(state: ReplicaState): void {
    const isDue = performance.now() - this.#renewedAt > this.#limits.renewMs
    if (!isDue || this.#renewing !== undefined) return
    const { signal, fail } = this.#deps
    this.#renewing = this.#writeSnapshot(state)
      .catch((error) => {
        if (!signal.aborted) fail(error)
      })
      .finally(() => {
        this.#renewing = undefined
      })
  }

  #position(): Position {
    return { term: this.#term, count: this.#count }
  }

  async #send(sealed: Buffer): Promise<void> {
    const { redis, lease } = this.#deps
    lease.fence()
    await redis.xadd(
      ...[this.#key.stream, 'MAXLEN', '~', maxStreamLength, idOf(this.#position()), 'm', sealed],
    )
  }

  async #writeSnapshot(state: ReplicaState): Promise<void> {
    const { redis, lease } = this.#deps
    const { stream } = this.#key
    const position = this.#position()
    this.#renewedAt = performance.now()
    const divided = divideChanges(changesBetween(emptyState, state))
    const parts = divided.length
    const sealed: Buffer[] = []
    for (const [part, changes] of divided.entries())
      sealed.push(await sealMessage(this.#key, { kind: 'part', position, part, parts, changes }))
    lease.fence()
    const place = snapshotKeyOf(stream)
    const results = await redis
      .multi()
      .del(place)
      .rpush(place, ...sealed)
      .pexpire(place, expiryMs)
      .xtrim(stream, 'MINID', idOf(position))
      .pexpire(stream, expiryMs)
      .exec()
    const failed = results?.find(([error]) => error !== null)?.[0]
    if (failed != null) throw failed
  }

  /**
   * Deletes a stream whose last id is above the ids of this leader, because Redis would refuse every new message. Such
   * a stream is forged, or the database that counts the terms was restored from a backup.
   */
  async #makeRoom(): Promise<void> {
    const { redis, lease } = this.#deps
    const { stream } = this.#key
    const [newest] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1)
    if (newest === undefined) return
    const [term = 0n, count = 0n] = newest[0].split('-').map(BigInt)
    lease.fence()
    if (isAfter({ term, count }, this.#position())) await redis.del(stream)
  }
}

/** The id of a message in its stream. */
const idOf = ({ term, count }: Position): string => `${term}-${count}`
