import {
  and,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { z } from 'zod'
import type { Cursor, RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/depositRow.ts'
import { parseTransaction } from '#src/requests/store/rows/transactionRow.ts'
import { chainId, hash } from '#src/requests/store/rows/valueSchemas.ts'
import { chainCursorTable } from '#src/requests/store/tables/chainTable.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { solverAccountTable } from '#src/requests/store/tables/solverAccountTable.ts'
import { solverTransactionTable } from '#src/requests/store/tables/solverTransactionTable.ts'
import { isOneOf } from './statement.ts'

type Reads = Pick<
  RequestStore,
  | 'cursor'
  | 'openDeposits'
  | 'depositsOf'
  | 'depositsOfAll'
  | 'findDeposits'
  | 'openTransactions'
  | 'refundable'
  | 'unsettled'
  | 'openPayments'
  | 'nearExit'
  | 'transactionsOf'
  | 'transactionsOfAll'
  | 'nextNonce'
>

/** Deposits and transactions, oldest first. @throws what the database throws. */
export function createTrackingReads({ db }: Pick<Database, 'db'>): Reads {
  const deposits = depositTable
  const transactions = solverTransactionTable
  const accounts = solverAccountTable

  async function depositsWhere(condition: SQL | undefined): Promise<Deposit[]> {
    const rows = await db
      .select()
      .from(deposits)
      .where(condition)
      .orderBy(deposits.timestamp, deposits.blockNumber, deposits.depositId)
    return rows.map(parseDeposit)
  }

  async function transactionsWhere(condition: SQL | undefined): Promise<SolverTransaction[]> {
    const rows = await db.select().from(transactions).where(condition).orderBy(transactions.nonce)
    return rows.map(parseTransaction)
  }

  return {
    cursor: async (id) => {
      const [row] = await db.select().from(chainCursorTable).where(eq(chainCursorTable.chainId, id))
      return row && parseCursor(row)
    },
    openDeposits: (id, number) =>
      depositsWhere(
        and(
          eq(deposits.chainId, id),
          or(
            eq(deposits.status, 'seen'),
            gt(deposits.blockNumber, number),
            isNull(deposits.blockNumber),
          ),
        ),
      ),
    depositsOf: (requestId) => depositsWhere(eq(deposits.requestId, requestId)),
    depositsOfAll: (requestIds) => depositsWhere(isOneOf(deposits.requestId, requestIds)),
    findDeposits: (ids) => depositsWhere(isOneOf(deposits.depositId, ids)),
    openTransactions: (id, number) =>
      transactionsWhere(
        and(
          eq(transactions.chainId, id),
          or(inArray(transactions.status, ['sent', 'mined']), gt(transactions.blockNumber, number)),
        ),
      ),
    refundable: async (id, now, { after, limit }) => {
      const rows = await db
        .select()
        .from(deposits)
        .where(
          and(
            eq(deposits.chainId, id),
            // Written out: with a parameter Postgres could not use the partial index.
            sql`${deposits.status} = 'refundable'`,
            or(isNull(deposits.refundDueAt), lte(deposits.refundDueAt, now)),
            after === undefined ? undefined : gt(deposits.depositId, after),
          ),
        )
        .orderBy(deposits.depositId)
        .limit(limit)
      return rows.map(parseDeposit)
    },
    openPayments: async (id, height, { after, limit }) => {
      const isOpenHere = sql`exists (
        select from ${requestTable} where ${requestTable.requestId} = ${deposits.requestId}
          and ${requestTable.open} is not null and ${requestTable.originChainId} = ${id}
      )`
      const rows = await db
        .select()
        .from(deposits)
        .where(
          and(
            eq(deposits.chainId, id),
            eq(deposits.status, 'seen'),
            lte(deposits.blockNumber, height),
            isOpenHere,
            after === undefined ? undefined : gt(deposits.depositId, after),
          ),
        )
        .orderBy(deposits.depositId)
        .limit(limit)
      return rows.map(parseDeposit)
    },
    unsettled: (id) => depositsWhere(and(eq(deposits.chainId, id), eq(deposits.status, 'filled'))),
    nearExit: (id, before) =>
      depositsWhere(
        and(
          eq(deposits.chainId, id),
          inArray(deposits.status, ['credited', 'filled', 'settling']),
          lt(deposits.exitTime, before),
          isNotNull(deposits.blockNumber),
        ),
      ),
    transactionsOf: (requestId) => transactionsWhere(eq(transactions.requestId, requestId)),
    transactionsOfAll: (requestIds) =>
      transactionsWhere(isOneOf(transactions.requestId, requestIds)),
    nextNonce: async (id, account) => {
      const [[last], [accepted]] = await Promise.all([
        db
          .select({ nonce: max(transactions.nonce) })
          .from(transactions)
          .where(and(eq(transactions.chainId, id), eq(transactions.account, account))),
        db
          .select({ nonce: accounts.acceptedNonce })
          .from(accounts)
          .where(and(eq(accounts.chainId, id), eq(accounts.account, account))),
      ])
      return Math.max((last?.nonce ?? -1) + 1, accepted?.nonce ?? 0)
    },
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

/** @throws what the database throws. */
export const createAcceptances = ({
  db,
}: Pick<Database, 'db'>): Pick<RequestStore, 'acceptNonce' | 'acceptedNonce'> => ({
  acceptedNonce: async (id, account) => {
    const { chainId: chain, account: holder, acceptedNonce } = solverAccountTable
    const [found] = await db
      .select({ acceptedNonce })
      .from(solverAccountTable)
      .where(and(eq(chain, id), eq(holder, account)))
    return found?.acceptedNonce ?? 0
  },
  acceptNonce: async ({ chainId: id, account, nonce, acceptedAt }) => {
    const { acceptedNonce } = solverAccountTable
    await db
      .insert(solverAccountTable)
      .values({ chainId: id, account, acceptedNonce: nonce, acceptedAt })
      .onConflictDoUpdate({
        target: [solverAccountTable.chainId, solverAccountTable.account],
        set: { acceptedNonce: nonce, acceptedAt },
        setWhere: lt(acceptedNonce, nonce),
      })
  },
})
