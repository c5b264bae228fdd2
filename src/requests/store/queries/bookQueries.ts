import { and, asc, count, eq, gte, inArray, isNull, type SQL, sql, sum } from 'drizzle-orm'
import { z } from 'zod'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { BookedTransaction } from '#src/requests/requestStore.ts'
import type {
  BookDay,
  BookReads,
  BookStore,
  BookSums,
  OpenRequests,
} from '#src/requests/state/books.ts'
import type { Database, Statement } from '#src/requests/store/connection/database.ts'
import { encodeRow } from '#src/requests/store/rows/encodeRow.ts'
import { parseTransaction } from '#src/requests/store/rows/paymentRow.ts'
import { bookDayTable, solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { bare, columnsOf, listOf, rowsOf, toStatement } from './statement.ts'

const days = bookDayTable
const keys: readonly string[] = ['chain_id', 'day', 'purpose']

/** @throws what the database throws. */
export const createBookReads = ({ db }: Database): BookReads => ({
  bookDays: async (chainIds, from) => {
    const rows = await db
      .select()
      .from(days)
      .where(and(inArray(days.chainId, [...chainIds]), gte(days.day, from)))
    return rows.map(toBookDay)
  },
  openRequests: async (now) => {
    const { status, createdAt } = requestTable
    const open = db
      .select({ status, minAge: minAgeOf(now).as('min_age') })
      .from(requestTable)
      // Literals: with parameters Postgres could not use the partial index.
      .where(sql`${status} in ('depositing', 'pending', 'submitted')`)
      .orderBy(status, createdAt)
      .limit(maxCounted)
      .as('open')
    const rows = await db
      .select({ status: open.status, minAge: open.minAge, count: count() })
      .from(open)
      .groupBy(open.status, open.minAge)
      .orderBy(open.status, open.minAge)
    return rows.map((row) =>
      openRequests.parse({ ...row, minAgeSeconds: Number(row.minAge), count: Number(row.count) }),
    )
  },
})

const maxCounted = 10_000

const openRequests: z.ZodType<OpenRequests> = z.object({
  status: z.enum(['depositing', 'pending', 'submitted']),
  minAgeSeconds: z.int(),
  count: z.int(),
})

/** The lower end of a request's class of age, in seconds. */
function minAgeOf(now: number): SQL<number> {
  const since = (seconds: number) =>
    sql`${requestTable.createdAt} <= ${now - seconds * 1000}::bigint`
  return sql<number>`case when ${since(86_400)} then 86400 when ${since(3_600)} then 3600
    when ${since(300)} then 300 else 0 end`
}

/** @throws what the database throws. */
export const createBookQueries = (database: Database): BookStore => ({
  ...createBookReads(database),
  unbooked: async (chainId, { since, limit }) => {
    const transactions = solverTransactionTable
    const rows = await database.db
      .select()
      .from(transactions)
      .where(
        and(
          eq(transactions.chainId, chainId),
          gte(transactions.createdAt, since),
          // As in the partial index: with a parameter Postgres could not use it.
          sql`${transactions.status} in ('final', 'reverted')`,
          isNull(transactions.booked),
        ),
      )
      .orderBy(asc(transactions.createdAt))
      .limit(limit)
    return rows.map(parseTransaction)
  },
  bookTotals: async (chainId) => {
    const [row] = await database.db
      .select({
        transactions: sum(days.transactions),
        gas: sum(days.gas),
        gasUsd: sum(days.gasUsd),
        gasUnknown: sum(days.gasUnknown),
        volumeUsd: sum(days.volumeUsd),
        volumeUnknown: sum(days.volumeUnknown),
        feesUsd: sum(days.feesUsd),
        feesUnknown: sum(days.feesUnknown),
        sponsoredUsd: sum(days.sponsoredUsd),
      })
      .from(days)
      .where(eq(days.chainId, chainId))
    return toSums((name) => BigInt(row?.[name] ?? 0))
  },
})

const toBookDay = (row: typeof days.$inferSelect): BookDay => ({
  chainId: toChainId(row.chainId),
  day: row.day,
  purpose: row.purpose,
  ...toSums((name) => BigInt(row[name])),
})

const toSums = (read: (name: keyof BookSums) => bigint): BookSums => ({
  transactions: Number(read('transactions')),
  gas: read('gas'),
  gasUsd: toUsd(read('gasUsd')),
  gasUnknown: Number(read('gasUnknown')),
  volumeUsd: toUsd(read('volumeUsd')),
  volumeUnknown: Number(read('volumeUnknown')),
  feesUsd: toUsd(read('feesUsd')),
  feesUnknown: Number(read('feesUnknown')),
  sponsoredUsd: toUsd(read('sponsoredUsd')),
})

/** Adds the transactions to the sums of their days. */
export function addToBooks(booked: readonly BookedTransaction[]): Statement {
  const groups = Map.groupBy(
    booked,
    ({ chainId, purpose, booked: { day } }) => `${chainId} ${day} ${purpose}`,
  )
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { chainId, purpose } = first
    const { day } = first.booked
    return [encodeRow(days, { chainId, day, purpose, ...sumsOf(group) })]
  })
  const columns = columnsOf(days)
  const added = columns
    .filter(({ name }) => !keys.includes(name))
    .map((column) => sql`${bare(column)} = ${column} + excluded.${bare(column)}`)
  return toStatement(sql`
    insert into ${days} (${listOf(columns)})
    select ${listOf(columns)} from ${rowsOf(days, rows)}
    on conflict (${bare(days.chainId)}, ${bare(days.day)}, ${bare(days.purpose)})
    do update set ${sql.join(added, sql`, `)}`)
}

function sumsOf(group: readonly BookedTransaction[]): BookSums {
  const bookings = group.map(({ booked }) => booked)
  type Values = readonly (bigint | null | undefined)[]
  const total = (values: Values): bigint =>
    values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
  const totalUsd = (values: Values): Usd => toUsd(total(values))
  const unknown = (values: Values): number => values.filter((value) => value === null).length
  const gas = bookings.map((each) => each.gasUsd)
  const volume = bookings.map((each) => each.volumeUsd)
  const fees = bookings.map((each) => each.feesUsd)
  return {
    transactions: group.length,
    gas: total(bookings.map((each) => each.gas)),
    gasUsd: totalUsd(gas),
    gasUnknown: unknown(gas),
    volumeUsd: totalUsd(volume),
    volumeUnknown: unknown(volume),
    feesUsd: totalUsd(fees),
    feesUnknown: unknown(fees),
    sponsoredUsd: totalUsd(bookings.map((each) => each.sponsoredUsd)),
  }
}
