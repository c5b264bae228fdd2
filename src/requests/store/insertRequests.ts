import { getTableColumns, sql } from 'drizzle-orm'
import type { Log } from '#src/log.ts'
import type { Database } from './connection/database.ts'
import { isRefusal, unavailable } from './connection/databaseError.ts'
import { requestTable } from './tables/requestTable.ts'

/** A request with its row as JSON. */
export type Entry = Readonly<{ requestId: string; row: string }>

/** Inserts a batch in one transaction: an error for each that was not stored, in their order. */
type Insert = (batch: readonly Entry[]) => Promise<readonly (Error | undefined)[]>

/** What it gives back throws StoreUnavailableError when none of a batch is known to be stored. */
export function createInsert(log: Log, db: Database['db']): Insert {
  const statement = prepareInsert(db)

  /** Alone, so that one that the database refuses takes no other with it. */
  async function insertEach(batch: readonly Entry[]): Promise<(Error | undefined)[]> {
    const outcomes: (Error | undefined)[] = []
    for (const entry of batch)
      outcomes.push(...(await insert([entry]).catch((error: Error) => [error])))
    return outcomes
  }

  const insert: Insert = async (batch) => {
    try {
      const rows = `[${batch.map(({ row }) => row).join(',')}]`
      const stored = new Set((await statement.execute({ rows })).map(({ requestId }) => requestId))
      // The set gives each id once: of two that came in one batch, the second is refused.
      return batch.map(({ requestId }) =>
        stored.delete(requestId) ? undefined : new Error(`${requestId} is stored already`),
      )
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) return insertEach(batch)
      throw unavailable(log, error, `Storing ${batch.length} requests`)
    }
  }
  return insert
}

/** One statement for any number of rows, so that the server parses and plans it once. */
function prepareInsert(db: Database['db']) {
  const columns = Object.values(getTableColumns(requestTable)).map(({ name }) =>
    sql.identifier(name),
  )
  const rows = sql`json_populate_recordset(null::${requestTable}, ${sql.placeholder('rows')}::json)`
  return db
    .insert(requestTable)
    .select(sql`select ${sql.join(columns, sql`, `)} from ${rows}`)
    .onConflictDoNothing()
    .returning({ requestId: requestTable.requestId })
    .prepare('insert_requests')
}
