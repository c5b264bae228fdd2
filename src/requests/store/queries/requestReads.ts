import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { ChangeReads, RequestReads } from '#src/requests/requestStore.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import { parseState } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { requestChangeTable, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { given, isOneOf } from './statement.ts'

/** @throws what the database throws. */
export function createRequestReads({ db }: Database): RequestReads & ChangeReads {
  const { requestId, seq } = requestTable
  const select = db
    .select()
    .from(requestTable)
    .where(eq(requestId, given('requestId')))
    .prepare('find_request')

  async function findWhere(condition: SQL): Promise<StoredRequest[]> {
    return (await db.select().from(requestTable).where(condition)).map(parseRequest)
  }

  return {
    find: async (id) => {
      const [row] = await select.execute({ requestId: id })
      return row && parseRequest(row)
    },
    findAll: (ids) => findWhere(isOneOf(requestId, ids)),
    findByOrders: (ids) => findWhere(isOneOf(requestTable.orderId, ids)),
    changesAfter: async (id, after) => {
      const { requestId: of, seq: at } = requestChangeTable
      const rows = await db
        .select()
        .from(requestChangeTable)
        .where(and(eq(of, id), gt(at, after)))
        .orderBy(at)
      return rows.map(
        (row): RequestChange => ({
          requestId: row.requestId as RequestChange['requestId'],
          state: parseState(row.state),
        }),
      )
    },
    seqsOf: async (ids) => {
      const rows = await db
        .select({ requestId, seq })
        .from(requestTable)
        .where(isOneOf(requestId, ids))
      return new Map(rows.map((row) => [row.requestId, row.seq]))
    },
  }
}
