import { and, count, eq, gt, gte, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Fence } from '#src/requests/lease.ts'
import type { CountTerms } from '#src/requests/requestList.ts'
import type { ChangeReads, PaymentReads, RequestReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { parseState } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit, parseTransaction } from '#src/requests/store/rows/paymentRow.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { depositTable, solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { permitTable } from '#src/requests/store/tables/relayedTable.ts'
import { requestChangeTable, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { runFenced } from './leases.ts'
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

/** Deposits and transactions, oldest first. @throws what the database throws. */
export function createPaymentReads({ db }: Database): PaymentReads {
  const deposits = depositTable
  const transactions = solverTransactionTable

  async function depositsWhere(condition: SQL): Promise<Deposit[]> {
    return (await depositsInOrder(db, condition)).map(parseDeposit)
  }

  async function transactionsWhere(condition: SQL): Promise<SolverTransaction[]> {
    return (await transactionsInOrder(db, condition)).map(parseTransaction)
  }

  return {
    depositsOf: (requestId) => depositsWhere(eq(deposits.requestId, requestId)),
    depositsOfAll: (requestIds) => depositsWhere(isOneOf(deposits.requestId, requestIds)),
    findDeposits: (ids) => depositsWhere(isOneOf(deposits.depositId, ids)),
    transactionsOf: (requestId) => transactionsWhere(eq(transactions.requestId, requestId)),
    transactionsOfAll: (requestIds) =>
      transactionsWhere(isOneOf(transactions.requestId, requestIds)),
  }
}

/** Deposits, oldest first. */
export const depositsInOrder = (db: Database['db'], condition: SQL | undefined) =>
  db
    .select()
    .from(depositTable)
    .where(condition)
    .orderBy(depositTable.timestamp, depositTable.blockNumber, depositTable.depositId)

export const transactionsInOrder = (db: Database['db'], condition: SQL | undefined) =>
  db.select().from(solverTransactionTable).where(condition).orderBy(solverTransactionTable.nonce)

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
