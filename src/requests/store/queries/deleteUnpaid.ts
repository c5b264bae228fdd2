import { and, isNull, lt, sql } from 'drizzle-orm'
import type { Fence } from '#src/requests/lease.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { permitTable } from '#src/requests/store/tables/permitTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { runFenced } from './leases.ts'

/** Written out as the index has it: with parameters Postgres could not use it. */
const isUnpaid = sql`${requestTable.status} = 'waiting' and ${requestTable.seq} = 0`

/**
 * Deletes the oldest quotes with a deadline before `before` (Unix seconds) of which nothing was observed. A quote keeps
 * its row as long as a deposit names it, and for ever where it has a deposit address: without the row nobody but the
 * user could sweep that. Returns the number of deleted quotes, at most `limit`.
 */
export async function deleteUnpaid(
  { db, atomically, vacuum }: Pick<Database, 'db' | 'atomically' | 'vacuum'>,
  before: number,
  limit: number,
  fence?: Fence,
): Promise<number> {
  const { requestId, deadline, depositAddress } = requestTable
  const hasDeposit = sql`exists (select from ${depositTable} where ${depositTable.requestId} = ${requestId})`
  const oldest = db
    .select({ requestId })
    .from(requestTable)
    .where(and(isUnpaid, lt(deadline, before), isNull(depositAddress), sql`not ${hasDeposit}`))
    .orderBy(deadline)
    .limit(limit)
  // Asked again of each row: another process may have observed a payment meanwhile. In other words than the indexes of
  // unpaid quotes have it, so that Postgres finds the rows by their ids and never walks through a whole index.
  const isStillUnpaid = sql`${requestTable.status}::text = 'waiting' and ${requestTable.seq} < 1`
  const deletion = db
    .delete(requestTable)
    .where(and(isStillUnpaid, sql`${requestId} = any(array(${oldest}))`))
    .returning({ requestId })
  const withPermits = sql`with gone as (${deletion.getSQL()}), signed as (
    delete from ${permitTable} using gone where ${permitTable.requestId} = gone.request_id
  ) select request_id from gone`
  const deleted = await runFenced({ atomically }, withPermits, fence)
  // After the last batch.
  if (deleted.length > 0 && deleted.length < limit) await vacuum?.(requestTable)
  return deleted.length
}
