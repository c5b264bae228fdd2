import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Log } from '#src/config/log.ts'
import { limitedReads } from './callerReads.ts'
import { type Database, migrationsFolder, planByIndexes } from './database.ts'
import { refuseUnsupportedPooler } from './poolerCheck.ts'
import { openPool } from './postgresPool.ts'
import { createTransact } from './postgresTransaction.ts'

/**
 * Opens a Postgres server, which any number of processes may share.
 * @throws Error if it cannot be reached, or a migration fails.
 */
export async function openPostgres(connectionString: string, log: Log): Promise<Database> {
  await refuseUnsupportedPooler({ ...connection, connectionString })
  await runMigrations(connectionString)
  const poolOf = (limits: Readonly<{ query_timeout: number; max: number }>) =>
    openPool(
      {
        ...connection,
        connectionString,
        ...limits,
        onConnect: (client) => client.query(planByIndexes),
      },
      (reason) => log.warn({ reason }, 'Lost a database connection'),
    )
  const pool = poolOf({ query_timeout: 10_000, max: 8 })
  const callerPool = poolOf({ query_timeout: 5_000, max: 4 })
  return {
    db: drizzle(pool),
    callers: limitedReads(callerPool),
    scannedRows: 1_000,
    atomically: createTransact(pool),
    check: () => checkWrites(connectionString),
    close: async () => {
      await Promise.all([pool.end(), callerPool.end()])
    },
  }
}

/** Uses its own connection, as those of the pool may wait for a server that does not answer. */
async function checkWrites(connectionString: string): Promise<void> {
  const limits = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 }
  const client = new pg.Client({ ...connection, connectionString, ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // Takes a transaction id, which a read-only server refuses, and commits.
    await client.query('select pg_current_xact_id()')
  } catch (error) {
    // Readiness is public, but other errors contain the server's address, a user or a database. They are only logged.
    if (!(error instanceof pg.DatabaseError)) throw new Error('the database server does not answer')
    throw namesAccount(error) ? new Error('the database server refuses the connection') : error
  } finally {
    // A server that does not answer never confirms the end.
    void client.end().catch(() => undefined)
  }
}

/** Errors of authorization and of unknown databases. @source PostgreSQL, appendix A: classes 28 and 3D */
const namesAccount = ({ code = '' }: pg.DatabaseError): boolean => /^(28|3D)/.test(code)

const connection = {
  application_name: 'crossquote',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const

/**
 * Processes that start at the same time migrate one after the other. The lock ends with the transaction, which the
 * migrations join and commit, because a pooler may give the next transaction another connection.
 */
async function runMigrations(connectionString: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionString })
  // A lost connection also rejects the running query.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** An arbitrary key that no other user of the database takes: "crossq" in ASCII. */
const migrationLock = 0x63_72_6f_73_73_71
