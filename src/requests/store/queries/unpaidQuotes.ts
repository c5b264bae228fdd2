import { and, count, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Fence } from '#src/requests/lease.ts'
import type { CountTerms } from '#src/requests/requestList.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { permitTable } from '#src/requests/store/tables/permitTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { runFenced } from './leases.ts'

/** Equals the condition of the index: Postgres could not use the index with parameters. */
const isUnpaid = sql`${requestTable.status} = 'waiting' and ${requestTable.seq} = 0`

/**
 * Deletes the oldest unpaid quotes with a deadline before `before` (Unix seconds). Keeps a quote while a deposit refers
 * to it. Always keeps a quote with a deposit address: without the row only the user could sweep the address. Returns
 * the number of deleted quotes, at most `limit`.
 */
export async function deleteUnpaid(
  { db, atomically, vacuum }: Database,
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
  // Checked again for each row, because another process may have observed a payment meanwhile. The expression differs
  // from the condition of the indexes, so that Postgres finds the rows by their ids instead of scanning a whole index.
  const isStillUnpaid = sql`${requestTable.status}::text = 'waiting' and ${requestTable.seq} < 1`
  const deletion = db
    .delete(requestTable)
    .where(and(isStillUnpaid, sql`${requestId} = any(array(${oldest}))`))
    .returning({ requestId })
  const withPermits = sql`with gone as (${deletion.getSQL()}), signed as (
    delete from ${permitTable} using gone where ${permitTable.requestId} = gone.request_id
  ) select request_id from gone`
  const deleted = await runFenced(atomically, withPermits, fence)
  // After the last batch.
  if (deleted.length > 0 && deleted.length < limit) await vacuum?.(requestTable)
  return deleted.length
}

/** Number of the quota's requests that still wait and are not expired at `now` (Unix seconds), at most `limit`. */
export async function countOpenQuotes(
  { db }: Database,
  quota: string,
  { now, limit }: CountTerms,
): Promise<number> {
  const open = db
    .select({ one: sql`1`.as('one') })
    .from(requestTable)
    .where(
      and(
        eq(requestTable.quota, quota),
        sql`${requestTable.status} = 'waiting'`,
        gte(requestTable.deadline, now),
      ),
    )
    .limit(limit)
    .as('open')
  const [row] = await db.select({ open: count() }).from(open)
  return row?.open ?? 0
}
