import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Log } from '#src/log.ts'
import { type Database, migrationsFolder, planByIndexes } from './database.ts'
import { createTransact } from './postgresTransaction.ts'

/**
 * Opens a Postgres server, which any number of processes may share.
 * @throws Error if it cannot be reached, or a migration fails.
 */
export async function openPostgres(connectionString: string, log: Log): Promise<Database> {
  await runMigrations(connectionString)
  const pool = new pg.Pool({
    ...connection,
    connectionString,
    query_timeout: 10_000,
    max: 8,
    onConnect: (client) => client.query(planByIndexes),
  })
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'Lost a database connection'))
  return { db: drizzle(pool), atomically: createTransact(pool), close: () => pool.end() }
}

const connection = {
  application_name: 'crossquote',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const

/** Processes that start at the same time migrate one after the other. The lock ends with the connection. */
async function runMigrations(connectionString: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionString })
  // A lost connection also rejects the running query.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** An arbitrary key that no other user of the database takes: "crossq" in ASCII. */
const migrationLock = 0x63_72_6f_73_73_71
