import { and, eq, lte, sql } from 'drizzle-orm'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parsePermit } from '#src/requests/store/rows/permitRow.ts'
import { permitTable } from '#src/requests/store/tables/permitTable.ts'
import { isOneOf } from './statement.ts'

type Permits = Pick<RequestStore, 'findPermit' | 'duePermits' | 'removePermits'>

/** @throws what the database throws. */
export const createPermitQueries = ({ db }: Pick<Database, 'db'>): Permits => ({
  findPermit: async (requestId) => {
    const [row] = await db.select().from(permitTable).where(eq(permitTable.requestId, requestId))
    return row && parsePermit(row)
  },
  duePermits: async ({ chainId, relayer, now, limit }) => {
    const rows = await db
      .select()
      .from(permitTable)
      .where(
        and(
          eq(permitTable.chainId, chainId),
          eq(permitTable.relayer, relayer),
          lte(permitTable.dueAt, now),
          // Written out: with a parameter Postgres could not use the partial index.
          sql`${permitTable.signature} is not null`,
        ),
      )
      .orderBy(permitTable.dueAt)
      .limit(limit)
    return rows.map(parsePermit)
  },
  removePermits: async (requestIds) => {
    if (requestIds.length === 0) return
    await db.delete(permitTable).where(isOneOf(permitTable.requestId, requestIds))
  },
})
