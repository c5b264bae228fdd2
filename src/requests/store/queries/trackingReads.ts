import {
  and,
  eq,
  getTableColumns,
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
import { arrayOf, first, given, isOneOf } from './statement.ts'

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
  const acceptances = createAcceptances({ db })

  const depositRows = (condition: SQL | undefined) =>
    db
      .select()
      .from(deposits)
      .where(condition)
      .orderBy(deposits.timestamp, deposits.blockNumber, deposits.depositId)

  /** A page of deposits on a chain, by their id. */
  const depositPages = (condition: SQL | undefined) =>
    db
      .select()
      .from(deposits)
      .where(
        and(
          eq(deposits.chainId, given('chainId')),
          condition,
          gt(deposits.depositId, given('after')),
        ),
      )
      .orderBy(deposits.depositId)
      .limit(given('limit'))

  const transactionRows = (condition: SQL | undefined) =>
    db.select().from(transactions).where(condition).orderBy(transactions.nonce)

  async function depositsWhere(condition: SQL | undefined): Promise<Deposit[]> {
    return (await depositRows(condition)).map(parseDeposit)
  }

  async function transactionsWhere(condition: SQL | undefined): Promise<SolverTransaction[]> {
    return (await transactionRows(condition)).map(parseTransaction)
  }

  const isOfChain = eq(deposits.chainId, given('chainId'))
  const openDeposits = depositRows(
    and(
      isOfChain,
      or(
        eq(deposits.status, 'seen'),
        gt(deposits.blockNumber, given('number')),
        isNull(deposits.blockNumber),
      ),
    ),
  ).prepare('open_deposits')
  const openTransactions = transactionRows(
    and(
      eq(transactions.chainId, given('chainId')),
      or(
        inArray(transactions.status, ['sent', 'mined']),
        gt(transactions.blockNumber, given('number')),
      ),
    ),
  ).prepare('open_transactions')
  const refundable = depositPages(
    and(
      // A literal: with a parameter Postgres could not use the partial index.
      sql`${deposits.status} = 'refundable'`,
      or(isNull(deposits.refundDueAt), lte(deposits.refundDueAt, given('now'))),
    ),
  ).prepare('refundable_deposits')
  const turns = db
    .select({
      depositId: deposits.depositId,
      turn: sql<number>`row_number() over (
        partition by ${deposits.requestId} order by ${deposits.amount} desc, ${deposits.depositId}
      )`.as('turn'),
    })
    .from(deposits)
    .where(
      and(
        isOfChain,
        sql`not (${deposits.depositId} = any(${given('except')}::text[]))`,
        eq(deposits.status, 'seen'),
        lte(deposits.blockNumber, given('height')),
        sql`exists (
        select from ${requestTable} where ${requestTable.requestId} = ${deposits.requestId}
          and ${requestTable.open} is not null and ${requestTable.originChainId} = ${given('chainId')}
      )`,
      ),
    )
    .as('turns')
  const openPayments = db
    .select(getTableColumns(deposits))
    .from(deposits)
    .innerJoin(turns, eq(turns.depositId, deposits.depositId))
    .orderBy(turns.turn, deposits.depositId)
    .limit(given('limit'))
    .prepare('open_payments')
  const unsettled = depositRows(and(isOfChain, eq(deposits.status, 'filled'))).prepare(
    'unsettled_deposits',
  )
  const nearExit = depositRows(
    and(
      isOfChain,
      inArray(deposits.status, ['credited', 'filled', 'settling']),
      lt(deposits.exitTime, given('before')),
      isNotNull(deposits.blockNumber),
    ),
  ).prepare('deposits_near_exit')
  const lastNonce = db
    .select({ nonce: max(transactions.nonce) })
    .from(transactions)
    .where(
      and(eq(transactions.chainId, given('chainId')), eq(transactions.account, given('account'))),
    )
    .prepare('last_nonce')

  return {
    cursor: async (id) => {
      const [row] = await db.select().from(chainCursorTable).where(eq(chainCursorTable.chainId, id))
      return row && parseCursor(row)
    },
    openDeposits: async (chainId, number) =>
      (await openDeposits.execute({ chainId, number })).map(parseDeposit),
    depositsOf: (requestId) => depositsWhere(eq(deposits.requestId, requestId)),
    depositsOfAll: (requestIds) => depositsWhere(isOneOf(deposits.requestId, requestIds)),
    findDeposits: (ids) => depositsWhere(isOneOf(deposits.depositId, ids)),
    openTransactions: async (chainId, number) =>
      (await openTransactions.execute({ chainId, number })).map(parseTransaction),
    refundable: async (chainId, now, { after = first, limit }) =>
      (await refundable.execute({ chainId, now, after, limit })).map(parseDeposit),
    openPayments: async (chainId, height, { except, limit }) =>
      (await openPayments.execute({ chainId, height, except: arrayOf(except), limit })).map(
        parseDeposit,
      ),
    unsettled: async (chainId) => (await unsettled.execute({ chainId })).map(parseDeposit),
    nearExit: async (chainId, before) =>
      (await nearExit.execute({ chainId, before })).map(parseDeposit),
    transactionsOf: (requestId) => transactionsWhere(eq(transactions.requestId, requestId)),
    transactionsOfAll: (requestIds) =>
      transactionsWhere(isOneOf(transactions.requestId, requestIds)),
    nextNonce: async (chainId, account) => {
      const [[last], accepted] = await Promise.all([
        lastNonce.execute({ chainId, account }),
        acceptances.acceptedNonce(chainId, account),
      ])
      return Math.max((last?.nonce ?? -1) + 1, accepted)
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
export function createAcceptances({
  db,
}: Pick<Database, 'db'>): Pick<RequestStore, 'acceptNonce' | 'acceptedNonce'> {
  const accounts = solverAccountTable
  const acceptedNonce = db
    .select({ nonce: accounts.acceptedNonce })
    .from(accounts)
    .where(and(eq(accounts.chainId, given('chainId')), eq(accounts.account, given('account'))))
    .prepare('accepted_nonce')

  return {
    acceptedNonce: async (chainId, account) => {
      const [found] = await acceptedNonce.execute({ chainId, account })
      return found?.nonce ?? 0
    },
    acceptNonce: async ({ chainId, account, nonce, acceptedAt }) => {
      await db
        .insert(accounts)
        .values({ chainId, account, acceptedNonce: nonce, acceptedAt })
        .onConflictDoUpdate({
          target: [accounts.chainId, accounts.account],
          set: { acceptedNonce: nonce, acceptedAt },
          setWhere: lt(accounts.acceptedNonce, nonce),
        })
    },
  }
}
