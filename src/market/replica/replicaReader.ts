import type { Redis } from 'ioredis'
import { pause } from '#src/chains/backoff.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { chainFactsOf } from '#src/market/chainMarket.ts'
import type { CurrencyStore } from '#src/market/currencies/currencies.ts'
import type { MarketFollower, Reception, Refusal, Snapshot } from '#src/market/marketFollower.ts'
import {
  connectReplica,
  openMessage,
  type Position,
  type ReplicaKey,
  type ReplicaMessage,
  redisFailureOf,
  snapshotKeyOf,
} from './replicaMessage.ts'
import { createReplicaMirror, type ReplicaMirror, type Verdict } from './replicaMirror.ts'
import type { ReplicaState } from './replicaState.ts'

/** The Redis URL of the replicas of a database, the secret of their HMACs, and the prefix of their streams. */
export type ReplicaPlace = Readonly<{ url: string; secret: string; streamPrefix: string }>

export const replicaKeyOf = (
  { secret, streamPrefix }: ReplicaPlace,
  chainId: ChainConfig['id'],
  solver: Address,
): ReplicaKey => ({ secret, stream: `${streamPrefix}:${chainId}`, solver })

type Deps = Readonly<{
  log: Log
  currencies: CurrencyStore
  /** A monotonic clock, in milliseconds. */
  now: () => number
  /** Whether prices may be computed from a block. */
  isFresh: (block: ChainMarket['block']) => boolean
  /** Called after each change of `latest`. */
  onSnapshot: () => void
}>

type Args = Readonly<{
  place: ReplicaPlace
  chain: ChainConfig
  solver: Readonly<{ address: Address; unrecordedLimitUsd: Usd }>
}>

const reasons = {
  forged:
    'its HMAC is wrong or missing. FEED_SECRET or the solver of the configuration differs between processes, or somebody else writes to Redis',
  unreadable: 'its content cannot be read',
  misplaced: 'its position in the stream is wrong',
  replayed: 'it is older than the market',
  gap: 'messages before it are missing',
} as const satisfies Record<Refusal, string>

/** After this silence the reader tries to load a snapshot. A replica sends a heartbeat every two seconds. */
const silentMs = 5_000
const blockMs = 2_000
const messagesPerRead = 20
const retryMs = 200

/** No snapshot of a chain has more parts. */
const maxParts = 10_000

/**
 * The market of one chain from a replica on Redis. Asks no node. Lost, forged or repeated messages never mix two states:
 * the market always equals the publisher's market at one message, or is absent.
 */
export class ReplicaReader implements MarketFollower {
  readonly ready: Promise<void>
  readonly #deps: Deps
  readonly #url: string
  readonly #chainId: ChainId
  readonly #key: ReplicaKey
  readonly #facts: ChainMarket['chain']
  readonly #mirror: ReplicaMirror
  /** Number of messages that changed nothing, by reason. */
  readonly #refused = new Map<Refusal, number>()
  readonly #closer = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  readonly #running: Promise<void>
  #latest: Snapshot | undefined
  #published: ReplicaState | undefined
  #heardAt: number | undefined
  #snapshots = 0
  #isFailing = false
  /** The last message was refused. The stream may have been recreated with lower ids. */
  #isDisturbed = false
  /** Id of the last message that was read, accepted or not. */
  #cursor = '0-0'

  constructor(deps: Deps, { place, chain, solver }: Args) {
    const { isFresh } = deps
    const { id: chainId } = chain
    this.#deps = deps
    this.#url = place.url
    this.#chainId = chainId
    this.#key = replicaKeyOf(place, chainId, solver.address)
    this.#facts = chainFactsOf(chain, solver.unrecordedLimitUsd)
    this.#mirror = createReplicaMirror({ isFresh }, chainId)
    this.ready = this.#first.promise
    this.#running = this.#run()
  }

  latest(): Snapshot | undefined {
    return this.#latest
  }

  announced(): bigint {
    return this.#mirror.state()?.announced ?? 0n
  }

  waitsFor(): string | undefined {
    if (this.#latest !== undefined) return undefined
    return this.#isFailing ? 'Redis, which does not answer' : 'a snapshot of the feed'
  }

  counts(): ReturnType<MarketFollower['counts']> {
    return { differences: 0, resyncs: 0, verified: 0, discovered: undefined }
  }

  refusedFactories(): readonly string[] {
    return this.#mirror.state()?.refusedFactories ?? []
  }

  reception(): Reception {
    return {
      silentMs: this.#heardAt === undefined ? undefined : this.#deps.now() - this.#heardAt,
      refused: this.#refused,
      snapshots: this.#snapshots,
    }
  }

  async close(): Promise<void> {
    this.#closer.abort()
    await this.#running
    this.#first.resolve()
  }

  #fail(error: unknown): void {
    if (!(this.#isFailing || this.#closer.signal.aborted))
      this.#deps.log.warn(
        { chainId: this.#chainId, reason: redisFailureOf(error) },
        'Redis does not answer: the market of the chain waits for its feed',
      )
    this.#isFailing = true
  }

  /** Logs the first message of each kind. */
  #refuse(refusal: Refusal): void {
    const before = this.#refused.get(refusal) ?? 0
    this.#refused.set(refusal, before + 1)
    if (before === 0)
      this.#deps.log.warn(
        { chainId: this.#chainId, stream: this.#key.stream, refusal },
        `Refused a message of the replica: ${reasons[refusal]}. Further ones are counted only`,
      )
  }

  #publish(): void {
    this.#heardAt = this.#deps.now()
    const state = this.#mirror.state()
    // A heartbeat does not change the market.
    if (state === undefined || state.market === this.#published?.market) return
    if (state.currencies !== this.#published?.currencies)
      this.#deps.currencies.add(state.currencies)
    this.#published = state
    const { depositPolicy } = this.#facts
    // A process without endpoints quotes for a solver that uses the endpoints of the replica's process.
    const endpoints = depositPolicy.endpoints === 0 ? state.endpoints : depositPolicy.endpoints
    const chain = { ...this.#facts, depositPolicy: { ...depositPolicy, endpoints } }
    const market: ChainMarket = { ...state.market, chain }
    this.#latest = { market, trackedPools: state.trackedPools }
    this.#first.resolve()
    this.#deps.onSnapshot()
  }

  /** The parts of the snapshot. Undefined if it is absent, refused, replaced during the read, or too old. */
  async #loadParts(redis: Redis): Promise<readonly ReplicaMessage[] | undefined> {
    const parts: ReplicaMessage[] = []
    for (let at = 0, count = 1; at < Math.min(count, maxParts); at += 1) {
      const sealed = await redis.lindexBuffer(snapshotKeyOf(this.#key.stream), at)
      if (sealed === null) return undefined
      const message = await openMessage(this.#key, sealed)
      if (typeof message === 'string') return void this.#refuse(message)
      if (message.kind !== 'part') return void this.#refuse('misplaced')
      if (!this.#mirror.wants(message)) return undefined
      count = message.parts
      parts.push(message)
    }
    return parts
  }

  /** Returns whether the mirror is now at the snapshot. */
  async #loadSnapshot(redis: Redis): Promise<boolean> {
    const parts = await this.#loadParts(redis)
    if (parts === undefined || this.#mirror.takeSnapshot(parts) !== 'applied') return false
    this.#cursor = idOf(this.#mirror.position())
    this.#snapshots += 1
    this.#isDisturbed = false
    this.#publish()
    return true
  }

  async #take(id: string, sealed: Buffer | undefined): Promise<Verdict | 'refused'> {
    this.#cursor = id
    const message = await openMessage(this.#key, sealed)
    if (typeof message === 'string') {
      this.#refuse(message)
      return 'refused'
    }
    if (message.kind === 'part' || id !== idOf(message.position)) {
      this.#refuse('misplaced')
      return 'refused'
    }
    const verdict = this.#mirror.take(message)
    if (verdict === 'applied') this.#publish()
    else if (verdict !== 'renewed') this.#refuse(verdict)
    return verdict
  }

  /** Reads messages after the cursor. Returns whether to load a snapshot next. */
  async #readOn(redis: Redis): Promise<boolean> {
    const waitMs = this.#isDisturbed ? retryMs : blockMs
    const read = await redis.xreadBuffer(
      ...([
        'COUNT',
        messagesPerRead,
        'BLOCK',
        waitMs,
        'STREAMS',
        this.#key.stream,
        this.#cursor,
      ] as const),
    )
    for (const [id, fields] of entriesOf(read)) {
      const verdict = await this.#take(id.toString(), fields[1])
      this.#isDisturbed = verdict !== 'applied'
      if (verdict === 'gap' || verdict === 'renewed') return true
    }
    return this.#isDisturbed || this.#deps.now() - (this.#heardAt ?? 0) > silentMs
  }

  async #run(): Promise<void> {
    const redis = connectReplica(this.#url, {
      name: `market-${this.#chainId}`,
      waits: true,
      onError: (error) => this.#fail(error),
    })
    this.#closer.signal.addEventListener('abort', () => redis.disconnect())
    let needsSnapshot = true
    while (!this.#closer.signal.aborted)
      try {
        if (needsSnapshot) {
          const isLoaded = await this.#loadSnapshot(redis)
          if (!isLoaded && this.#mirror.needsSnapshot()) await pause(retryMs, this.#closer.signal)
        }
        needsSnapshot = this.#mirror.needsSnapshot() || (await this.#readOn(redis))
        if (this.#isFailing) this.#deps.log.info({ chainId: this.#chainId }, 'Redis answers again')
        this.#isFailing = false
      } catch (error) {
        if (this.#closer.signal.aborted) return
        this.#fail(error)
        // Replaces a connection that hangs without being closed.
        if (redis.status === 'ready') redis.disconnect(true)
        await pause(retryMs, this.#closer.signal)
      }
  }
}

const idOf = (position: Position | undefined): string =>
  position === undefined ? '0-0' : `${position.term}-${position.count}`

type Entry = readonly [id: Buffer, fields: readonly Buffer[]]

/** ioredis has no types for the answers of commands that return buffers. */
const entriesOf = (read: unknown): readonly Entry[] =>
  (read as readonly [unknown, readonly Entry[]][] | null)?.[0]?.[1] ?? []
