import type { Redis } from 'ioredis'
import { pause } from '#src/chains/backoff.ts'

type Args = Readonly<{
  redis: Redis
  stream: string
  onMessage: (text: string) => void
  /** Messages may have been lost: the stream was replaced or truncated after our position. */
  onGap: () => void
  onFailure: (error: unknown) => void
  signal: AbortSignal
}>

/** A stream entry. Its id is a millisecond time and a counter. */
type Entry = [id: string, fields: string[]]

const blockMs = 5_000
const maxEntries = 500
const retryMs = 200

/** Reads a stream from its current end until `signal` fires, across lost connections. */
export async function readStream({
  redis,
  stream,
  onMessage,
  onGap,
  onFailure,
  signal,
}: Args): Promise<void> {
  let last: string | undefined
  let isLocated = false

  /** Checks that our position is still in the stream. If not, continues from its end. */
  const locate = async (): Promise<void> => {
    const [oldest] = (await redis.xrange(stream, '-', '+', 'COUNT', 1)) as Entry[]
    const [newest] = (await redis.xrevrange(stream, '+', '-', 'COUNT', 1)) as Entry[]
    const end = newest?.[0] ?? '0-0'
    const isWhole =
      last !== undefined && oldest !== undefined && !isAfter(oldest[0], last) && !isAfter(last, end)
    if (!isWhole) {
      last = end
      onGap()
    }
    isLocated = true
  }

  while (!signal.aborted) {
    try {
      if (!isLocated) await locate()
      const read = await redis.xread(
        'COUNT',
        maxEntries,
        'BLOCK',
        blockMs,
        'STREAMS',
        stream,
        last ?? '0-0',
      )
      for (const [id, fields] of (read?.[0]?.[1] ?? []) as Entry[]) {
        last = id
        onMessage(fields[1] ?? '')
      }
    } catch (error) {
      if (signal.aborted) return
      isLocated = false
      onFailure(error)
      // Replaces a connection that hangs without being closed.
      if (redis.status === 'ready') redis.disconnect(true)
      await pause(retryMs, signal)
    }
  }
}

function isAfter(one: string, other: string): boolean {
  const [time = 0n, count = 0n] = one.split('-').map(BigInt)
  const [otherTime = 0n, otherCount = 0n] = other.split('-').map(BigInt)
  return time > otherTime || (time === otherTime && count > otherCount)
}
