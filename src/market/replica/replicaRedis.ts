import { Redis } from 'ioredis'

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
