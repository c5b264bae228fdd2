import { createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { z } from 'zod'
import { feedChanges, type SentFeedChanges } from './feedChanges.ts'
import { hash, integer, toJson } from './wireValues.ts'

/** The place of a message in a feed. Each leader of the feed begins a higher term, and counts its messages from 1. */
export type Position = Readonly<{ term: bigint; count: bigint }>

/** Whether `one` comes after `other`. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.term > other.term || (one.term === other.term && one.count > other.count)

const position = z.object({ term: integer, count: integer })

const feedMessage = z.discriminatedUnion('kind', [
  /** What has changed since the message before, whose block was `previous`. */
  z.object({ kind: z.literal('changes'), position, previous: hash, changes: feedChanges }),
  /** Nothing has changed: the feed lives. */
  z.object({ kind: z.literal('beat'), position, announced: integer }),
  /** A snapshot of this position stands beside the stream. Readers begin with it, whatever they know. */
  z.object({ kind: z.literal('snapshot'), position }),
  /** One of the `parts` of the snapshot of a position. */
  z.object({
    kind: z.literal('part'),
    position,
    part: z.int().min(0),
    parts: z.int().min(1),
    changes: feedChanges,
  }),
])

export type FeedMessage = z.output<typeof feedMessage>

/** The same as it is sent. */
export type SentFeedMessage = Readonly<{ position: Position }> &
  (
    | Readonly<{ kind: 'changes'; previous: string; changes: SentFeedChanges }>
    | Readonly<{ kind: 'beat'; announced: bigint }>
    | Readonly<{ kind: 'snapshot' }>
    | Readonly<{ kind: 'part'; part: number; parts: number; changes: SentFeedChanges }>
  )

/**
 * What binds a message to its feed: a message with the HMAC of another stream, of another version of the format, or of
 * another solver, whose balances it holds, is as good as forged.
 */
export type FeedKey = Readonly<{ secret: string; stream: string; solver: string }>

/** Grows with each change of the format. */
const version = 2

const macBytes = 32

/** A message that inflates to more is none of ours: those are divided long before. */
const maxInflatedBytes = 32_000_000

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const macOf = ({ secret, stream, solver }: FeedKey, body: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`crossquote feed ${version}\n${stream}\n${solver}\n`)
    .update(body)
    .digest()

/** The HMAC-SHA-256 of the deflated JSON, and then this. */
export async function sealMessage(key: FeedKey, message: SentFeedMessage): Promise<Buffer> {
  const body = await deflate(toJson(message))
  return Buffer.concat([macOf(key, body), body])
}

/** The message; `forged` for one with a wrong or missing HMAC, which is not looked at further; `unreadable`. */
export async function openMessage(
  key: FeedKey,
  sealed: Buffer | undefined,
): Promise<FeedMessage | 'forged' | 'unreadable'> {
  if (sealed === undefined || sealed.length < macBytes) return 'forged'
  const body = sealed.subarray(macBytes)
  if (!timingSafeEqual(macOf(key, body), sealed.subarray(0, macBytes))) return 'forged'
  try {
    const text = await inflate(body, { maxOutputLength: maxInflatedBytes })
    return feedMessage.parse(JSON.parse(text.toString()))
  } catch {
    return 'unreadable'
  }
}
