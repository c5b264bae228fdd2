import type { Redis } from 'ioredis'
import { pause } from '#src/chains/backoff.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { chainFactsOf } from '#src/market/chainMarket.ts'
import type { CurrencyStore } from '#src/market/currencies/currencies.ts'
import type { MarketFollower, Snapshot } from '#src/market/marketFollower.ts'
import { openMessage, type Position, type ReplicaKey } from './replicaMessage.ts'
import { createReplicaMirror, type Verdict } from './replicaMirror.ts'
import { connectReplica, redisFailureOf, snapshotKeyOf } from './replicaRedis.ts'
import { createRefusals } from './replicaRefusals.ts'
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
export function readReplica(
  { log, currencies, now, isFresh, onSnapshot }: Deps,
  { place, chain, solver }: Args,
): MarketFollower {
  const { id: chainId } = chain
  const key = replicaKeyOf(place, chainId, solver.address)
  const { stream } = key
  const facts = chainFactsOf(chain, solver.unrecordedLimitUsd)
  const mirror = createReplicaMirror({ isFresh }, chainId)
  const refusals = createRefusals({ log }, { chainId, stream })
  const closer = new AbortController()
  const { signal } = closer
  const first = Promise.withResolvers<void>()
  let latest: Snapshot | undefined
  let published: ReplicaState | undefined
  let heardAt: number | undefined
  let snapshots = 0
  let isFailing = false
  /** The last message was refused. The stream may have been recreated with lower ids. */
  let isDisturbed = false
  /** Id of the last message that was read, accepted or not. */
  let cursor = '0-0'

  function fail(error: unknown): void {
    if (!(isFailing || signal.aborted))
      log.warn(
        { chainId, reason: redisFailureOf(error) },
        'Redis does not answer: the market of the chain waits for its feed',
      )
    isFailing = true
  }

  function publish(): void {
    heardAt = now()
    const state = mirror.state()
    // A heartbeat does not change the market.
    if (state === undefined || state.market === published?.market) return
    if (state.currencies !== published?.currencies) currencies.add(state.currencies)
    published = state
    const { depositPolicy } = facts
    // A process without endpoints quotes for a solver that uses the endpoints of the replica's process.
    const endpoints = depositPolicy.endpoints === 0 ? state.endpoints : depositPolicy.endpoints
    const chain = { ...facts, depositPolicy: { ...depositPolicy, endpoints } }
    const market: ChainMarket = { ...state.market, chain }
    latest = { market, trackedPools: state.trackedPools }
    first.resolve()
    onSnapshot()
  }

  /** The parts of the snapshot. Undefined if it is absent, refused, replaced during the read, or too old. */
  async function loadParts(redis: Redis) {
    const parts = []
    for (let at = 0, count = 1; at < Math.min(count, maxParts); at += 1) {
      const sealed = await redis.lindexBuffer(snapshotKeyOf(stream), at)
      if (sealed === null) return undefined
      const message = await openMessage(key, sealed)
      if (typeof message === 'string') return void refusals.refuse(message)
      if (message.kind !== 'part') return void refusals.refuse('misplaced')
      if (!mirror.wants(message)) return undefined
      count = message.parts
      parts.push(message)
    }
    return parts
  }

  /** Returns whether the mirror is now at the snapshot. */
  async function loadSnapshot(redis: Redis): Promise<boolean> {
    const parts = await loadParts(redis)
    if (parts === undefined || mirror.takeSnapshot(parts) !== 'applied') return false
    cursor = idOf(mirror.position())
    snapshots += 1
    isDisturbed = false
    publish()
    return true
  }

  async function take(id: string, sealed: Buffer | undefined): Promise<Verdict | 'refused'> {
    cursor = id
    const message = await openMessage(key, sealed)
    if (typeof message === 'string') {
      refusals.refuse(message)
      return 'refused'
    }
    if (message.kind === 'part' || id !== idOf(message.position)) {
      refusals.refuse('misplaced')
      return 'refused'
    }
    const verdict = mirror.take(message)
    if (verdict === 'applied') publish()
    else if (verdict !== 'renewed') refusals.refuse(verdict)
    return verdict
  }

  /** Reads messages after the cursor. Returns whether to load a snapshot next. */
  async function readOn(redis: Redis): Promise<boolean> {
    const waitMs = isDisturbed ? retryMs : blockMs
    const read = await redis.xreadBuffer(
      ...(['COUNT', messagesPerRead, 'BLOCK', waitMs, 'STREAMS', stream, cursor] as const),
    )
    for (const [id, fields] of entriesOf(read)) {
      const verdict = await take(id.toString(), fields[1])
      isDisturbed = verdict !== 'applied'
      if (verdict === 'gap' || verdict === 'renewed') return true
    }
    return isDisturbed || now() - (heardAt ?? 0) > silentMs
  }

  async function run(): Promise<void> {
    const redis = connectReplica(place.url, {
      name: `market-${chainId}`,
      waits: true,
      onError: fail,
    })
    signal.addEventListener('abort', () => redis.disconnect())
    let needsSnapshot = true
    while (!signal.aborted)
      try {
        if (needsSnapshot) {
          const isLoaded = await loadSnapshot(redis)
          if (!isLoaded && mirror.needsSnapshot()) await pause(retryMs, signal)
        }
        needsSnapshot = mirror.needsSnapshot() || (await readOn(redis))
        if (isFailing) log.info({ chainId }, 'Redis answers again')
        isFailing = false
      } catch (error) {
        if (signal.aborted) return
        fail(error)
        // Replaces a connection that hangs without being closed.
        if (redis.status === 'ready') redis.disconnect(true)
        await pause(retryMs, signal)
      }
  }

  const running = run()
  return {
    latest: () => latest,
    announced: () => mirror.state()?.announced ?? 0n,
    ready: first.promise,
    waitsFor: () => {
      if (latest !== undefined) return undefined
      return isFailing ? 'Redis, which does not answer' : 'a snapshot of the feed'
    },
    counts: () => ({ differences: 0, resyncs: 0, verified: 0, discovered: undefined }),
    refusedFactories: () => mirror.state()?.refusedFactories ?? [],
    reception: () => ({
      silentMs: heardAt === undefined ? undefined : now() - heardAt,
      refused: refusals.counts(),
      snapshots,
    }),
    async close() {
      closer.abort()
      await running
      first.resolve()
    },
  }
}

const idOf = (position: Position | undefined): string =>
  position === undefined ? '0-0' : `${position.term}-${position.count}`

type Entry = readonly [id: Buffer, fields: readonly Buffer[]]

/** ioredis has no types for the answers of commands that return buffers. */
const entriesOf = (read: unknown): readonly Entry[] =>
  (read as readonly [unknown, readonly Entry[]][] | null)?.[0]?.[1] ?? []
