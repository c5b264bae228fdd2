import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { UpstreamStore } from '#src/requests/claimedWork.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'

const { requestId, upstreamDueAt } = requestTable

/** @throws what the database throws. A claim whose answer is lost expires. */
export function createUpstreamQueue({ db }: Database): UpstreamStore {
  return {
    claimUpstream: async ({ now, until, limit }) => {
      const due = sql`select ${requestId} from ${requestTable}
        where ${upstreamDueAt} is not null and ${upstreamDueAt} <= ${now}
        order by ${upstreamDueAt} limit ${limit}`
      const rows = await db
        .update(requestTable)
        .set({ upstreamDueAt: until })
        .where(sql`${requestId} = any(array(${due}))`)
        .returning()
      return rows.map(parseRequest)
    },
    scheduleUpstream: async (id, { until, dueAt }) => {
      // Keeps a due time that `hastenUpstream` has set since the claim.
      const isClaimed = dueAt === undefined ? undefined : eq(upstreamDueAt, until)
      await db
        .update(requestTable)
        .set({ upstreamDueAt: dueAt ?? null })
        .where(and(eq(requestId, id), isClaimed))
    },
    hastenUpstream: async (id, now) => {
      await db
        .update(requestTable)
        .set({ upstreamDueAt: now })
        .where(and(eq(requestId, id), isNotNull(upstreamDueAt)))
    },
  }
}
