import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'

type Args = Readonly<{
  redis: Redis
  stream: string
  onMessage: (text: string) => void
  /** What was between is not known: the stream is another one, or was cut where we had got to. */
  onGap: () => void
  onFailure: (error: unknown) => void
  signal: AbortSignal
}>

/** Of a stream: milliseconds, and a count within them. */
type Entry = [id: string, fields: string[]]

const blockMs = 5_000
const mostEntries = 500
const retryMs = 200

/** Reads a stream from its present end on, until told to stop: a connection that breaks is made up for. */
export async function readStream({
  redis,
  stream,
  onMessage,
  onGap,
  onFailure,
  signal,
}: Args): Promise<void> {
  let last: string | undefined
  let isPlaced = false

  /** Where we stand in a stream that may have changed since we read of it. */
  const place = async (): Promise<void> => {
    const [oldest] = (await redis.xrange(stream, '-', '+', 'COUNT', 1)) as Entry[]
    const [newest] = (await redis.xrevrange(stream, '+', '-', 'COUNT', 1)) as Entry[]
    const end = newest?.[0] ?? '0-0'
    const isWhole =
      last !== undefined && oldest !== undefined && !isAfter(oldest[0], last) && !isAfter(last, end)
    if (!isWhole) {
      last = end
      onGap()
    }
    isPlaced = true
  }

  while (!signal.aborted) {
    try {
      if (!isPlaced) await place()
      const read = await redis.xread(
        'COUNT',
        mostEntries,
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
      isPlaced = false
      onFailure(error)
      // A connection that hangs is of no use, though it is not closed.
      if (redis.status === 'ready') redis.disconnect(true)
      await pause(retryMs, undefined, { signal }).catch(() => {})
    }
  }
}

function isAfter(one: string, other: string): boolean {
  const [time = 0n, count = 0n] = one.split('-').map(BigInt)
  const [otherTime = 0n, otherCount = 0n] = other.split('-').map(BigInt)
  return time > otherTime || (time === otherTime && count > otherCount)
}
