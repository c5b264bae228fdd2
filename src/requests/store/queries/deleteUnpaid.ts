import { and, lt, sql } from 'drizzle-orm'
import type { Database } from '#src/requests/store/connection/database.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { permitTable } from '#src/requests/store/tables/permitTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { isOneOf } from './statement.ts'

/** Written out as the index has it: with parameters Postgres could not use it. */
const isUnpaid = sql`${requestTable.status} = 'waiting' and ${requestTable.seq} = 0`

/**
 * Deletes the oldest quotes with a deadline before `before` (Unix seconds) of which nothing was observed. A quote keeps
 * its row as long as a deposit names it. Returns the number of deleted quotes, at most `limit`.
 */
export async function deleteUnpaid(
  { db, vacuum }: Pick<Database, 'db' | 'vacuum'>,
  before: number,
  limit: number,
): Promise<number> {
  const { requestId, deadline } = requestTable
  const hasDeposit = sql`exists (select from ${depositTable} where ${depositTable.requestId} = ${requestId})`
  const oldest = db
    .select({ requestId })
    .from(requestTable)
    .where(and(isUnpaid, lt(deadline, before), sql`not ${hasDeposit}`))
    .orderBy(deadline)
    .limit(limit)
  // Asked again of each row: another process may have observed a payment meanwhile. In other words than the indexes of
  // unpaid quotes have it, so that Postgres finds the rows by their ids and never walks through a whole index.
  const isStillUnpaid = sql`${requestTable.status}::text = 'waiting' and ${requestTable.seq} < 1`
  const deleted = await db
    .delete(requestTable)
    .where(and(isStillUnpaid, sql`${requestId} = any(array(${oldest}))`))
    .returning({ requestId })
  const ids = deleted.map((each) => each.requestId)
  if (ids.length > 0) await db.delete(permitTable).where(isOneOf(permitTable.requestId, ids))
  // After the last batch.
  if (deleted.length > 0 && deleted.length < limit) await vacuum?.(requestTable)
  return deleted.length
}
