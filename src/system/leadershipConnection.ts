import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'

/** What holds locks on a server, for as long as it lasts. */
export type LockConnection = Readonly<{
  /** Fires as soon as nobody can say any more that the locks are held. */
  lost: AbortSignal
  /** Whether this connection has the lock now, that had not before. @throws Error once it is lost. */
  tryLock: (name: string) => Promise<boolean>
  /** Never fails: a lock goes with its connection at the latest. */
  unlock: (name: string) => Promise<void>
  close: () => Promise<void>
}>

/**
 * This side knows within four seconds of a connection that hangs; the server, which then gives the locks
 * to others, takes 10 at the least: 4 idle, then two probes 3 apart.
 */
const beatMs = 1_000
const patienceMs = 3_000
const options = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=2'

/** @throws Error when the server cannot be reached. */
export async function openLockConnection(
  { log }: Readonly<{ log: Log }>,
  databaseUrl: string,
): Promise<LockConnection> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'crossquote leadership',
    connectionTimeoutMillis: 5_000,
    query_timeout: patienceMs,
    keepAlive: true,
    options,
  })
  const losing = new AbortController()

  function lose(reason: string): void {
    if (losing.signal.aborted) return
    losing.abort()
    log.warn({ reason }, 'The connection that holds the locks of leaders was lost')
    void client.end()
  }
  // One that is not open yet fails as a whole.
  client.on('error', () => undefined)
  await client.connect()
  client.on('error', (error) => lose(reasonOf(error)))
  client.on('end', () => lose('It has ended'))

  /** Of the questions so far the last: a connection takes one after the other. */
  let asked: Promise<unknown> = Promise.resolve()
  function ask(text: string, values: readonly unknown[] = []): Promise<boolean> {
    const answer = asked.then(() => askNow(text, values))
    asked = answer.catch(() => undefined)
    return answer
  }

  async function askNow(text: string, values: readonly unknown[]): Promise<boolean> {
    try {
      return (await client.query<{ is: boolean }>(text, [...values])).rows[0]?.is === true
    } catch (error) {
      // Whatever was asked may have been done: only with the connection is it undone.
      lose(reasonOf(error))
      throw error
    }
  }

  async function beat(): Promise<void> {
    while (!losing.signal.aborted) {
      await setTimeout(beatMs, undefined, { signal: losing.signal })
      await ask('select true as is')
    }
  }

  // It ends with the connection, which says so itself.
  beat().catch(() => undefined)
  return {
    lost: losing.signal,
    tryLock: (name) => ask('select pg_try_advisory_lock($1) as is', [keyOf(name)]),
    unlock: async (name) => {
      if (losing.signal.aborted) return
      await ask('select pg_advisory_unlock($1) as is', [keyOf(name)]).catch(() => undefined)
    },
    close: async () => {
      losing.abort()
      const ended = client.end().catch(() => undefined)
      // A server that hangs says no goodbye.
      await Promise.race([ended, setTimeout(patienceMs, undefined, { ref: false })])
    },
  }
}

/** Locks have numbers of 64 bits for names, which all who use the database share. */
const keyOf = (name: string): bigint =>
  createHash('sha256').update(`crossquote:${name}`).digest().readBigInt64BE()
