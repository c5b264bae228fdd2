import { and, eq, gt, gte, isNull, type SQL, sql } from 'drizzle-orm'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { parseState } from '#src/requests/store/rows/stateRow.ts'
import {
  depositDeadline,
  requestChangeTable,
  requestTable,
} from '#src/requests/store/tables/requestTable.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { isOneOf } from './statement.ts'

type Reads = Pick<
  RequestStore,
  | 'find'
  | 'findAll'
  | 'findByOrders'
  | 'changesAfter'
  | 'seqsOf'
  | 'pendingSwaps'
  | 'waitingSwaps'
  | 'fillable'
  | 'overdue'
>

/** @throws what the database throws. */
export function createRequestReads({ db }: Pick<Database, 'db'>): Reads {
  const { requestId, seq, status, execution, originChainId, destinationChainId } = requestTable
  const select = db
    .select()
    .from(requestTable)
    .where(eq(requestId, sql.placeholder('requestId')))
    .prepare('find_request')

  async function findWhere(condition: SQL | undefined): Promise<StoredRequest[]> {
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
    pendingSwaps: (chainId) =>
      findWhere(and(eq(originChainId, chainId), isStatus('pending'), eq(execution, 'user'))),
    waitingSwaps: (chainId, users, now) =>
      findWhere(
        and(
          isOneOf(requestTable.user, users),
          eq(originChainId, chainId),
          isStatus('waiting'),
          eq(execution, 'user'),
          gte(requestTable.deadline, now),
        ),
      ),
    fillable: (chainId) =>
      findWhere(
        and(
          eq(destinationChainId, chainId),
          isStatus('pending'),
          eq(execution, 'solver'),
          isNull(sql`${requestTable.state} -> 'refunds'`),
        ),
      ),
    overdue: (chainId, now) =>
      findWhere(and(isStatus('depositing'), sql`${depositDeadline} < ${now}`, isOpenOn(chainId))),
  }

  /** Written out as a literal: with a parameter Postgres could not use the partial indexes. */
  function isStatus(one: 'depositing' | 'pending' | 'waiting'): SQL {
    return sql`${status} = ${sql.raw(`'${one}'`)}`
  }
}

/** Whether an input of the request on the chain is open. */
const isOpenOn = (chainId: ChainId): SQL => sql`exists (
  select from json_array_elements(${requestTable.inputs}) with ordinality as input (terms, place)
  where (input.terms ->> 'chainId')::bigint = ${chainId}
    and ${requestTable.state} -> 'fundings' -> (input.place::int - 1) ->> 'status' = 'open'
)`
