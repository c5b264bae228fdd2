import { randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Log } from '#src/config/log.ts'
import { limitedReads } from './callerReads.ts'
import {
  type Database,
  migrationsFolder,
  planByIndexes,
  type Rows,
  type Statement,
} from './database.ts'

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
  const callers = limitedReads(callerPool)
  return {
    db: drizzle(pool),
    callers,
    callersByKey: callers,
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

/**
 * invalid_sql_statement_name and duplicate_prepared_statement: another connection has prepared the statement, or this
 * connection has prepared the statement of another client.
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const foreignStatement = new Set(['26000', '42P05'])

/**
 * Refuses a pooler that gives each transaction another connection without preparing the statements there. Named
 * statements would fail, or run as the statements of another process. Two clients prepare different statements under
 * one name, and each must get its own. No transaction stays open: it would keep a connection from other processes that
 * start, and could wait for them forever.
 * @throws Error that names the required change
 */
async function refuseUnsupportedPooler(settings: pg.ClientConfig): Promise<void> {
  const clients = [new pg.Client(settings), new pg.Client(settings)] as const
  const [client, other] = clients
  for (const each of clients) each.on('error', () => undefined)
  const name = `crossquote_probe_${randomUUID()}`
  const isOwn = async (asked: pg.Client) => {
    const owner = clients.indexOf(asked)
    const { rows } = await asked.query({ name, text: `select ${owner} as owner` })
    return rows[0]?.owner === owner
  }
  try {
    await Promise.all(clients.map((each) => each.connect()))
    // Twice in a row finds poolers that rotate two connections. Several rounds allow for other processes in between.
    for (let round = 0; round < 4; round += 1)
      for (const each of [client, client, other])
        if (!(await isOwn(each))) throw new UnsupportedPoolerError()
  } catch (error) {
    const { code = '' } = error as { code?: string }
    throw foreignStatement.has(code) ? new UnsupportedPoolerError() : error
  } finally {
    await Promise.all(clients.map((each) => each.end().catch(() => undefined)))
  }
}

class UnsupportedPoolerError extends Error {
  constructor() {
    super(
      'The database is behind a connection pooler in transaction mode that does not keep prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements above 0, or its session mode.',
    )
    this.name = 'UnsupportedPoolerError'
  }
}

/** Runs each transaction on one connection of the pool. */
function createTransact(pool: pg.Pool): Database['atomically'] {
  /** Each connection parses and plans a named statement once. */
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `batch_${names.size}`
    names.set(text, name)
    return name
  }

  async function runAll(client: pg.PoolClient, statements: readonly Statement[]) {
    const results: Rows[] = []
    await client.query(begin)
    for (const { text, params, rows } of statements) {
      const query = { name: nameOf(text), text, values: [...params], rowMode: 'array', types }
      const result = await client.query<(string | null)[]>(query as pg.QueryArrayConfig)
      if (rows !== undefined && rows !== result.rows.length) {
        await client.query('rollback')
        return 'conflict'
      }
      results.push(result.rows)
    }
    await client.query('commit')
    return results
  }

  return async (statements) => {
    const client = await pool.connect()
    let failed = true
    try {
      const outcome = await runAll(client, statements)
      failed = false
      return outcome
    } catch (error) {
      if (conflictCodes.has((error as { code?: string }).code ?? '')) return 'conflict'
      throw error
    } finally {
      // A failed connection is closed, which rolls the transaction back.
      client.release(failed)
    }
  }
}

const types = { getTypeParser: () => (value: unknown) => value }

/**
 * Makes the server end the transaction of a frozen process and release its locks. The timeout is shorter than a lease,
 * so that the next leader does not wait. It applies to this transaction only, as the server may be behind a pooler.
 */
const begin = `begin; set local idle_in_transaction_session_timeout = '5s'`

/**
 * serialization_failure and deadlock_detected: a conflict with another transaction.
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const conflictCodes = new Set(['40001', '40P01'])

/**
 * A pool of connections. It replaces lost connections at the next use. `log` gets the reason of each loss.
 *
 * Each connection has its own error listener, because the pool removes its listener when it hands out a connection.
 * Without one, a broken connection would end this process.
 */
export function openPool(options: pg.PoolConfig, log: (reason: string) => void): pg.Pool {
  const pool = new pg.Pool({ ...options, keepAlive: true })
  pool.on('error', ({ message }) => log(message))
  // A lost connection also rejects the running query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
