import { fileURLToPath } from 'node:url'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Postgres behind either driver: both take the same SQL. */
export type Database = Readonly<{
  /** One statement at a time. */
  db: Pick<PgDatabase<PgQueryResultHKT>, 'delete' | 'insert' | 'select' | 'update'>
  /**
   * Runs all of them in one transaction: the rows that each gave, in their order. `conflict`: one gave
   * another number of rows than it was to, or others were in the way, and nothing has changed.
   * @throws Error, after which all of it has been done or nothing.
   */
  atomically: (statements: readonly Statement[]) => Promise<readonly Rows[] | 'conflict'>
  close: () => Promise<void>
}>

/** Its text is one of few, since it is parsed once and remembered. */
export type Statement = Readonly<{
  text: string
  params: readonly unknown[]
  /** How many rows it must give; absent: any number. */
  rows?: number
}>

/** Values are text, as Postgres writes them. */
export type Rows = readonly (readonly (string | null)[])[]

/**
 * For each connection. A plan is made once, it may be while there is next to nothing to scan, and kept when there
 * is much: saving a change took 100 ms among 15,000 requests. Each look-up here is of a few, by an index.
 */
export const planByIndexes =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

/** As drizzle-kit wrote them; found from wherever the process was started. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
