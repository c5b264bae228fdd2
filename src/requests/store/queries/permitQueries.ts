import { and, eq, lte, sql } from 'drizzle-orm'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parsePermit } from '#src/requests/store/rows/permitRow.ts'
import { permitTable } from '#src/requests/store/tables/permitTable.ts'
import { given, isOneOf } from './statement.ts'

type Permits = Pick<RequestStore, 'findPermit' | 'duePermits' | 'removePermits'>

/** @throws what the database throws. */
export function createPermitQueries({ db }: Pick<Database, 'db'>): Permits {
  const { chainId, relayer, dueAt, signature } = permitTable
  const due = db
    .select()
    .from(permitTable)
    .where(
      and(
        eq(chainId, given('chainId')),
        eq(relayer, given('relayer')),
        lte(dueAt, given('now')),
        // A literal: with a parameter Postgres could not use the partial index.
        sql`${signature} is not null`,
      ),
    )
    .orderBy(dueAt)
    .limit(given('limit'))
    .prepare('due_permits')

  return {
    findPermit: async (requestId) => {
      const [row] = await db.select().from(permitTable).where(eq(permitTable.requestId, requestId))
      return row && parsePermit(row)
    },
    duePermits: async (args) => (await due.execute(args)).map(parsePermit),
    removePermits: async (requestIds) => {
      if (requestIds.length === 0) return
      await db.delete(permitTable).where(isOneOf(permitTable.requestId, requestIds))
    },
  }
}
