import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Log } from '#src/log.ts'
import { type Database, migrationsFolder, planByIndexes } from './database.ts'
import { createTransact } from './postgresTransaction.ts'

/**
 * A Postgres server, which any number of processes share.
 * @throws Error when it cannot be reached, or its tables cannot be brought up to date.
 */
export async function openPostgres(connectionString: string, log: Log): Promise<Database> {
  await bringUpToDate(connectionString)
  const pool = new pg.Pool({
    ...connection,
    connectionString,
    query_timeout: 10_000,
    max: 8,
    onConnect: (client) => client.query(planByIndexes),
  })
  pool.on('error', ({ message }) =>
    log.warn({ reason: message }, 'A connection to the database was lost'),
  )
  return { db: drizzle(pool), atomically: createTransact(pool), close: () => pool.end() }
}

const connection = {
  application_name: 'crossquote',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const

/** Processes that start at once go one after the other; the lock ends with the connection. */
async function bringUpToDate(connectionString: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionString })
  // A lost connection also fails the query that waits for it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** Any number that others who use the same database do not take: "crossq" in ASCII. */
const migrationLock = 0x63_72_6f_73_73_71
