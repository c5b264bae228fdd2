import { drizzle } from 'drizzle-orm/pg-proxy'
import pg from 'pg'
import type { Database } from './database.ts'
import { StoreUnavailableError } from './databaseError.ts'

/**
 * Makes lists read their indexes in order, row by row. Where few rows are expected, as on a database that was never
 * analyzed, Postgres would rather read and sort all of them.
 */
export const inIndexOrder = 'set local enable_sort = off'

/** Time of one read on the server. Reads that use an index take milliseconds. */
const maxReadMs = 2_000

/**
 * Reads of callers on a pool of their own. The server ends a read that takes too long. The limit applies to one
 * transaction, as the server may be behind a pooler.
 */
export const limitedReads = (pool: pg.Pool, maxMs = maxReadMs): Database['callers'] =>
  drizzle(async (text, params) => {
    const client = await pool.connect()
    let isBroken = true
    try {
      await client.query(`begin read only; set local statement_timeout = ${maxMs}; ${inIndexOrder}`)
      const values = [...params]
      // Without a name: callers choose the filters of a list, so that there are many texts.
      const { rows } = await client.query({ text, values, rowMode: 'array', types })
      await client.query('commit')
      isBroken = false
      return { rows }
    } catch (error) {
      if (error instanceof pg.DatabaseError)
        isBroken = await client.query('rollback').then(
          () => false,
          () => true,
        )
      throw error
    } finally {
      client.release(isBroken)
    }
  })

const types = { getTypeParser: () => (value: unknown) => value }

/** Number of reads that may wait for the embedded database, which answers a few hundred in a second. */
const maxWaiting = 256

/**
 * Reads of callers one after the other: everything else waits for one of them at most. The embedded database runs one
 * statement at a time, and cannot end one.
 */
export function queuedReads(atomically: Database['atomically']): Database['callers'] {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return drizzle(async (text, params) => {
    if (waiting >= maxWaiting) throw new StoreUnavailableError()
    waiting += 1
    const statements = [
      { text: inIndexOrder, params: [] },
      { text, params },
    ]
    const read = last.then(() => atomically(statements))
    last = read
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1
      })
    const [, rows = []] = (await read) as (string | null)[][][]
    return { rows }
  })
}
