import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'

/** A connection to the database that holds advisory locks. The server releases them when it ends. */
export type LockConnection = Readonly<{
  /** Fires as soon as the locks may no longer be held. */
  lost: AbortSignal
  /** Whether this call got the lock. @throws Error once the connection is lost */
  tryLock: (name: string) => Promise<boolean>
  /** Never throws: the server releases the lock at the latest when the connection ends. */
  unlock: (name: string) => Promise<void>
  close: () => Promise<void>
}>

/**
 * This side detects a hanging connection within 4 seconds. The server, which then releases the locks, needs at least
 * 10 seconds: 4 idle, then two keepalive probes 3 seconds apart. So the old leader stops before a new one starts.
 */
const heartbeatMs = 1_000
const timeoutMs = 3_000
const options = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=2'

/** @throws Error when the server cannot be reached */
export async function openLockConnection(
  { log }: Readonly<{ log: Log }>,
  databaseUrl: string,
): Promise<LockConnection> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'crossquote leadership',
    connectionTimeoutMillis: 5_000,
    query_timeout: timeoutMs,
    keepAlive: true,
    options,
  })
  const losing = new AbortController()

  function lose(reason: string): void {
    if (losing.signal.aborted) return
    losing.abort()
    log.warn({ reason }, 'Lost the connection that holds the leadership locks')
    void client.end()
  }
  // Before the connection is open, `connect` throws instead.
  client.on('error', () => undefined)
  await client.connect()
  client.on('error', (error) => lose(reasonOf(error)))
  client.on('end', () => lose('The connection ended'))

  /** The last query: queries run one after the other. */
  let lastQuery: Promise<unknown> = Promise.resolve()
  function query(text: string, values: readonly unknown[] = []): Promise<boolean> {
    const answer = lastQuery.then(() => runQuery(text, values))
    lastQuery = answer.catch(() => undefined)
    return answer
  }

  async function runQuery(text: string, values: readonly unknown[]): Promise<boolean> {
    try {
      return (await client.query<{ is: boolean }>(text, [...values])).rows[0]?.is === true
    } catch (error) {
      // The server may have executed the query. Only the end of the connection releases its locks for certain.
      lose(reasonOf(error))
      throw error
    }
  }

  async function heartbeat(): Promise<void> {
    while (!losing.signal.aborted) {
      await setTimeout(heartbeatMs, undefined, { signal: losing.signal })
      await query('select true as is')
    }
  }

  // Its errors end the connection, which reports them.
  heartbeat().catch(() => undefined)
  return {
    lost: losing.signal,
    tryLock: (name) => query('select pg_try_advisory_lock($1) as is', [keyOf(name)]),
    unlock: async (name) => {
      if (losing.signal.aborted) return
      await query('select pg_advisory_unlock($1) as is', [keyOf(name)]).catch(() => undefined)
    },
    close: async () => {
      losing.abort()
      const ended = client.end().catch(() => undefined)
      // A hanging server never confirms the end.
      await Promise.race([ended, setTimeout(timeoutMs, undefined, { ref: false })])
    },
  }
}

/** Advisory locks are named by a 64-bit number, shared by all users of the database. */
const keyOf = (name: string): bigint =>
  createHash('sha256').update(`crossquote:${name}`).digest().readBigInt64BE()
