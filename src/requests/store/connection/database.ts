import { fileURLToPath } from 'node:url'
import type { PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core'

/** A Postgres database behind one of two drivers, which take the same SQL. */
export type Database = Readonly<{
  /** For single statements. */
  db: Pick<PgDatabase<PgQueryResultHKT>, 'delete' | 'insert' | 'select' | 'update'>
  /** For lists that callers wait for. They delay nothing else: their time, or their number at once, is limited. */
  callers: Database['db']
  /**
   * For reads of rows that callers name by a key. Thousands of subscribers may begin at once, and each such read takes
   * little time.
   */
  callersByKey: Database['db']
  /** Number of rows that a list may read from one index to find the matching ones: a matter of milliseconds. */
  scannedRows: number
  /**
   * Runs the statements in one transaction and returns the rows of each, in order. `conflict`: a statement did not
   * return its expected number of rows, or the transaction could not be serialized; nothing has changed.
   * @throws Error, after which either all or nothing was done.
   */
  atomically: (statements: readonly Statement[]) => Promise<readonly Rows[] | 'conflict'>
  /**
   * Tests whether the database takes writes. Restarts an embedded database that has stopped.
   * @throws Error with the reason if it takes none.
   */
  check: () => Promise<void>
  /** Frees the space of deleted rows. Absent if the server does so by itself. */
  vacuum?: (table: PgTable) => Promise<void>
  close: () => Promise<void>
}>

/** A statement. Few different texts exist, and each is prepared once per connection. */
export type Statement = Readonly<{
  text: string
  params: readonly unknown[]
  /** The number of rows it must return; absent: any number. */
  rows?: number
}>

/** Values in Postgres's text format. */
export type Rows = readonly (readonly (string | null)[])[]

/**
 * Settings of each connection. A plan is made once, possibly for an almost empty table, and reused as the table grows:
 * saving a change then took 100 ms among 15,000 requests. Every query here reads few rows by an index. None is worth
 * the 700 ms in which Postgres compiles a plan that needs something that is off.
 */
export const planByIndexes =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off'

/** Migrations as drizzle-kit wrote them. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
