import { getTableColumns, sql } from 'drizzle-orm'
import type { Database } from './connection/database.ts'
import { type FailureDeps, isRefusal, unavailable } from './connection/databaseError.ts'
import { requestTable } from './tables/requestTable.ts'

/** A request id with the request's row as JSON. */
export type Entry = Readonly<{ requestId: string; row: string }>

/**
 * Inserts a batch in one transaction. Returns one outcome per entry, in order: an error if the entry was not stored.
 */
type Insert = (batch: readonly Entry[]) => Promise<readonly (Error | undefined)[]>

/** The insert throws StoreUnavailableError if its outcome is unknown. */
export function createInsert(deps: FailureDeps, db: Database['db']): Insert {
  const statement = prepareInsert(db)

  /** Inserts one by one, so that an entry that the database refuses does not fail the others. */
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
      // `delete` is true once per id: the second of two equal ids in a batch is refused.
      return batch.map(({ requestId }) =>
        stored.delete(requestId) ? undefined : new Error(`Request ${requestId} is already stored`),
      )
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) return insertEach(batch)
      throw unavailable(deps, error, `store ${batch.length} requests`)
    }
  }
  return insert
}

/** One statement for any number of rows. The server parses and plans it once. */
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
