import { pause } from '#src/chains/backoff.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { changesBetween } from './replicaChanges.ts'
import { isAfter, type Position, type ReplicaKey, sealMessage } from './replicaMessage.ts'
import { connectReplica, redisFailureOf, snapshotKeyOf } from './replicaRedis.ts'
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

/**
 * Publishes the market of one chain on a Redis stream. Message ids are positions, so that Redis refuses an older term.
 */
export function createReplicaPublisher(
  { log, market }: Deps,
  { url, key, chainId }: Readonly<{ url: string; key: ReplicaKey; chainId: ChainId }>,
  { beatMs, renewMs, maxMessageBytes }: Limits = usualLimits,
): ReplicaPublisher {
  const { stream } = key
  let block: bigint | undefined
  let starts = 0n
  let isFailing = false

  const fail = (error: unknown): void => {
    if (!isFailing)
      log.warn({ chainId, reason: redisFailureOf(error) }, 'Redis does not take the feed')
    isFailing = true
  }

  async function run(signal: AbortSignal, lease: Term): Promise<void> {
    const redis = connectReplica(url, { name: `replica-${chainId}`, waits: false, onError: fail })
    const wakeSignal = createWakeSignal()
    const leave = market.listen((changed) => changed === chainId && wakeSignal.wake())
    signal.addEventListener('abort', wakeSignal.wake)
    starts += 1n
    const term = (lease.fence()?.token ?? 0n) * maxStarts + starts
    let count = 0n
    /** The state of a reader that has received all messages. Undefined: the next message is a snapshot. */
    let published: ReplicaState | undefined
    let renewedAt = Number.NEGATIVE_INFINITY
    let renewing: Promise<void> | undefined
    // A restarted Redis may have lost the snapshot, although no command failed.
    redis.on('ready', () => {
      renewedAt = Number.NEGATIVE_INFINITY
    })

    const send = async (id: Position, sealed: Buffer): Promise<void> => {
      lease.fence()
      await redis.xadd(
        ...[stream, 'MAXLEN', '~', maxStreamLength, `${id.term}-${id.count}`, 'm', sealed],
      )
    }

    async function writeSnapshot(state: ReplicaState, position: Position): Promise<void> {
      renewedAt = performance.now()
      const divided = divideChanges(changesBetween(emptyState, state))
      const sealed: Buffer[] = []
      for (const [part, changes] of divided.entries())
        sealed.push(
          await sealMessage(key, {
            kind: 'part',
            position,
            part,
            parts: divided.length,
            changes,
          }),
        )
      lease.fence()
      const place = snapshotKeyOf(stream)
      const results = await redis
        .multi()
        .del(place)
        .rpush(place, ...sealed)
        .pexpire(place, expiryMs)
        .xtrim(stream, 'MINID', `${position.term}-${position.count}`)
        .pexpire(stream, expiryMs)
        .exec()
      const failed = results?.find(([error]) => error !== null)?.[0]
      if (failed != null) throw failed
    }

    /** Every reader must load this snapshot. */
    async function publishSnapshot(state: ReplicaState): Promise<void> {
      const position = { term, count }
      await renewing
      await writeSnapshot(state, position)
      await send(position, await sealMessage(key, { kind: 'snapshot', position }))
    }

    async function publish(state: ReplicaState): Promise<void> {
      count += 1n
      if (published === undefined) return publishSnapshot(state)
      const position = { term, count }
      if (published.market === state.market) {
        const { announced } = state
        return send(position, await sealMessage(key, { kind: 'beat', position, announced }))
      }
      const changes = changesBetween(published, state)
      const previous = published.market.block.hash
      const sealed = await sealMessage(key, { kind: 'changes', position, previous, changes })
      if (sealed.length > maxMessageBytes) return publishSnapshot(state)
      await send(position, sealed)
      if (performance.now() - renewedAt > renewMs && renewing === undefined)
        renewing = writeSnapshot(state, position)
          .catch((error) => {
            if (!signal.aborted) fail(error)
          })
          .finally(() => {
            renewing = undefined
          })
    }

    try {
      while (!signal.aborted) {
        const state = redis.status === 'ready' ? replicaStateOf(market, chainId) : undefined
        try {
          if (state !== undefined) {
            if (published === undefined) await makeRoom(redis, { term, count }, lease)
            await publish(state)
            published = state
            block = state.market.block.number
            if (isFailing) log.info({ chainId }, 'Redis takes the feed again')
            isFailing = false
          }
        } catch (error) {
          if (signal.aborted) return
          // It is unknown if the message arrived, so the next message is a snapshot.
          published = undefined
          lease.fence()
          fail(error)
          // Replaces a connection that hangs without being closed.
          if (redis.status === 'ready') redis.disconnect(true)
          await pause(retryMs, signal)
          continue
        }
        await wakeSignal.wait(state === undefined ? retryMs : beatMs)
      }
    } finally {
      block = undefined
      leave()
      signal.removeEventListener('abort', wakeSignal.wake)
      await renewing
      redis.disconnect()
    }
  }

  /**
   * Deletes a stream whose last id is above the ids of this leader, because Redis would refuse every new message. Such
   * a stream is forged, or the database that counts the terms was restored from a backup.
   */
  async function makeRoom(
    redis: ReturnType<typeof connectReplica>,
    sent: Position,
    lease: Term,
  ): Promise<void> {
    const [newest] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1)
    if (newest === undefined) return
    const [term = 0n, count = 0n] = newest[0].split('-').map(BigInt)
    lease.fence()
    if (isAfter({ term, count }, sent)) await redis.del(stream)
  }

  return {
    run,
    status: () => ({ block, hasMarket: market.latest(chainId) !== undefined }),
  }
}
