import { and, eq, gt, inArray, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { chainId, hash } from '#src/requests/state/valueSchemas.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/depositRow.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { parseTransaction } from '#src/requests/store/rows/transactionRow.ts'
import { chainCursorTable } from '#src/requests/store/tables/chainTable.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { depositDeadline, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { solverTransactionTable } from '#src/requests/store/tables/solverTransactionTable.ts'
import type { Cursor, CursorReads, TrackingReads } from '#src/requests/trackingStore.ts'
import { depositsInOrder, transactionsInOrder } from './paymentReads.ts'
import { given } from './statement.ts'

/** @throws what the database throws. */
export function createTrackingReads({ db }: Database): CursorReads & TrackingReads {
  const deposits = depositTable
  const transactions = solverTransactionTable
  const openDeposits = depositsInOrder(
    db,
    and(
      eq(deposits.chainId, given('chainId')),
      or(
        eq(deposits.status, 'seen'),
        gt(deposits.blockNumber, given('number')),
        isNull(deposits.blockNumber),
      ),
    ),
  ).prepare('open_deposits')
  const openTransactions = transactionsInOrder(
    db,
    and(
      eq(transactions.chainId, given('chainId')),
      or(
        inArray(transactions.status, ['sent', 'mined']),
        gt(transactions.blockNumber, given('number')),
      ),
    ),
  ).prepare('open_transactions')
  const overdue = db
    .select()
    .from(requestTable)
    .where(
      and(
        // A literal: with a parameter Postgres could not use the partial index.
        sql`${requestTable.status} = 'depositing'`,
        sql`${depositDeadline} < ${given('now')}`,
        isOpenOn(given('chainId')),
      ),
    )
    .prepare('overdue_requests')

  return {
    cursor: async (id) => {
      const [row] = await db.select().from(chainCursorTable).where(eq(chainCursorTable.chainId, id))
      return row && parseCursor(row)
    },
    firstQuotedAt: async (chainId) => {
      const { createdAt, inputs, originChainId, status } = requestTable
      const isInput = sql`exists (
        select from json_array_elements(${inputs}) as input where (input ->> 'chainId')::bigint = ${chainId}
      )`
      // Literals: each of the two has an index by age.
      const oldest = [sql`${status} = 'waiting'`, sql`${status} <> 'waiting'`].map((isOfIndex) =>
        db
          .select({ createdAt })
          .from(requestTable)
          .where(and(isOfIndex, or(eq(originChainId, chainId), isInput)))
          .orderBy(createdAt)
          .limit(1),
      )
      const times = (await Promise.all(oldest)).flat().map((row) => row.createdAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    openDeposits: async (chainId, number) =>
      (await openDeposits.execute({ chainId, number })).map(parseDeposit),
    openTransactions: async (chainId, number) =>
      (await openTransactions.execute({ chainId, number })).map(parseTransaction),
    overdue: async (chainId, now) => (await overdue.execute({ chainId, now })).map(parseRequest),
  }
}

const parseCursor = ({
  blockNumber,
  blockHash,
  ...rest
}: typeof chainCursorTable.$inferSelect): Cursor =>
  cursor.parse({ ...rest, block: { number: blockNumber, hash: blockHash } })

const cursor: z.ZodType<Cursor> = z.object({
  chainId,
  genesis: hash,
  block: z.object({ number: z.bigint(), hash }),
})

/** Whether an input of the request on the chain is open. */
const isOpenOn = (chainId: Placeholder): SQL => sql`exists (
  select from json_array_elements(${requestTable.inputs}) with ordinality as input (terms, place)
  where (input.terms ->> 'chainId')::bigint = ${chainId}
    and ${requestTable.state} -> 'fundings' -> (input.place::int - 1) ->> 'status' = 'open'
)`
