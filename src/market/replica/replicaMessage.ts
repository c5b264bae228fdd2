import { createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { hash, integer, toJson } from '#src/market/kinds/wireValues.ts'
import { replicaChanges, type SentReplicaChanges } from './replicaChanges.ts'

/** The position of a message in a replica. Each leader of the replica begins a higher term and counts its messages from 1. */
export type Position = Readonly<{ term: bigint; count: bigint }>

/** Whether `one` comes after `other`. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.term > other.term || (one.term === other.term && one.count > other.count)

const position = z.object({ term: integer, count: integer })

const replicaMessage = z.discriminatedUnion('kind', [
  /** The changes since the previous message. `previous` is the hash of its block. */
  z.object({ kind: z.literal('changes'), position, previous: hash, changes: replicaChanges }),
  /** A heartbeat: the market has not changed. */
  z.object({ kind: z.literal('beat'), position, announced: integer }),
  /** A snapshot at this position is stored under its own key. Every reader must load it. */
  z.object({ kind: z.literal('snapshot'), position }),
  /** Part number `part` (from 0) of a snapshot of `parts` parts. */
  z.object({
    kind: z.literal('part'),
    position,
    part: z.int().min(0),
    parts: z.int().min(1),
    changes: replicaChanges,
  }),
])

export type ReplicaMessage = z.output<typeof replicaMessage>

/** A message before it is encoded. */
export type SentReplicaMessage = Readonly<{ position: Position }> &
  (
    | Readonly<{ kind: 'changes'; previous: string; changes: SentReplicaChanges }>
    | Readonly<{ kind: 'beat'; announced: bigint }>
    | Readonly<{ kind: 'snapshot' }>
    | Readonly<{ kind: 'part'; part: number; parts: number; changes: SentReplicaChanges }>
  )

/**
 * Key of the HMAC, which covers the stream, the format version and the solver. A message of another stream, version or
 * solver therefore counts as forged. The solver is included because messages contain its balances.
 */
export type ReplicaKey = Readonly<{ secret: string; stream: string; solver: string }>

/** Grows with each change of the format. */
const version = 3

const macBytes = 32

/** Larger messages are refused: the publisher splits its messages well below this size. */
const maxInflatedBytes = 32_000_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const macOf = ({ secret, stream, solver }: ReplicaKey, body: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`crossquote replica ${version}\n${stream}\n${solver}\n`)
    .update(body)
    .digest()

/** Returns the HMAC-SHA-256 of the deflated JSON, followed by the deflated JSON. */
export async function sealMessage(key: ReplicaKey, message: SentReplicaMessage): Promise<Buffer> {
  const body = await deflate(toJson(message))
  return Buffer.concat([macOf(key, body), body])
}

/** Returns the message; `forged` for a wrong or missing HMAC, without parsing it; `unreadable` for invalid content. */
export async function openMessage(
  key: ReplicaKey,
  sealed: Buffer | undefined,
): Promise<ReplicaMessage | 'forged' | 'unreadable'> {
  if (sealed === undefined || sealed.length < macBytes) return 'forged'
  const body = sealed.subarray(macBytes)
  if (!timingSafeEqual(macOf(key, body), sealed.subarray(0, macBytes))) return 'forged'
  try {
    const text = await inflate(body, { maxOutputLength: maxInflatedBytes })
    return replicaMessage.parse(JSON.parse(text.toString()))
  } catch {
    return 'unreadable'
  }
}

/** Longer than the 2 s for which a read blocks. */
const answerMs = 10_000

/**
 * A connection for one replica. Its commands fail at once when it breaks, and after 10 s without an answer.
 * @param waits whether commands wait for a connection that is not up yet.
 */
export function connectReplica(
  url: string,
  {
    name,
    waits,
    onError,
  }: Readonly<{ name: string; waits: boolean; onError: (error: unknown) => void }>,
): Redis {
  const redis = new Redis(url, {
    connectionName: `crossquote-${name}`,
    commandTimeout: answerMs,
    enableOfflineQueue: waits,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
    keepAlive: 10_000,
  })
  redis.on('error', onError)
  return redis
}

/** The Redis key of a replica's snapshot. */
export const snapshotKeyOf = (stream: string): string => `${stream}:snapshot`

/** The code or the first line of the error's message. Other lines may contain the URL with its password. */
export function redisFailureOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message?.split('\n')[0] ?? 'unknown'
}
