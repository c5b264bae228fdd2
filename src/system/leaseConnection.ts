import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '#src/config/log.ts'
import { openPool } from '#src/requests/store/connection/openPostgres.ts'
import { createLeases, type Leases } from '#src/requests/store/queries/leases.ts'

/**
 * Number of separate connections, so that leases are renewed while the store's connections are busy: one for renewals,
 * one for the acquisition of a free duty, one for the check before a transaction is sent.
 */
const connections = 3

/** Leases in the Postgres server at `databaseUrl`. Connects at the first use. A call fails after `timeoutMs`. */
export function connectLeases(
  { log }: Readonly<{ log: Log }>,
  { databaseUrl, timeoutMs }: Readonly<{ databaseUrl: string; timeoutMs: number }>,
): Leases & Readonly<{ close: () => Promise<void> }> {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: 'crossquote leadership',
      connectionTimeoutMillis: timeoutMs,
      // A connection that fails or hangs is not used again.
      query_timeout: timeoutMs,
      max: connections,
    },
    (reason) => log.debug({ reason }, 'Lost a connection for leases'),
  )
  const leases = createLeases(async ({ text, params }) => {
    const query = { text, values: [...params], rowMode: 'array', types }
    const { rows } = await pool.query<(string | null)[]>(query as pg.QueryArrayConfig)
    return rows
  })
  return {
    ...leases,
    close: async () => {
      const ended = pool.end().catch(() => undefined)
      // A server that hangs never confirms the end.
      await Promise.race([ended, setTimeout(timeoutMs, undefined, { ref: false })])
    },
  }
}

const types = { getTypeParser: () => (value: unknown) => value }
