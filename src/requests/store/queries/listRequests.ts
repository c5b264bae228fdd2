import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { AppError } from '#src/core/errors.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import {
  parseRequestCursor,
  type RequestFilter,
  type RequestPage,
  type RequestPlace,
  requestCursor,
} from '#src/requests/requestList.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { listSources, type Source } from './listSources.ts'

const { requestId, createdAt, destinationChainId, destinationCurrency, status, summary } =
  requestTable

/**
 * In the order of their quotes. No filter makes it read many rows: each source reads at most `scannedRows`. A page that
 * ends there has fewer requests than asked for, and a cursor to go on.
 */
export async function listRequests(
  database: Database,
  filter: RequestFilter,
): Promise<RequestPage> {
  const { first, order } = filter
  const parts = await Promise.all(
    listSources(filter).map((source) => readSource(database, filter, source)),
  )
  const isBefore = (one: RequestPlace, other: RequestPlace): boolean =>
    order === 'oldest' ? isOlder(one, other) : isOlder(other, one)
  const inOrder = (one: RequestPlace, other: RequestPlace) => (isBefore(one, other) ? -1 : 1)
  /** Where the first source has stopped: rows beyond it may be missing. */
  const [end] = parts.flatMap((part) => part.end ?? []).sort(inOrder)
  const known = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => end === undefined || !isBefore(end, row))
    .sort(inOrder)
  const requests = known.slice(0, first).map(parseRequest)
  const next = known.length > first ? requests.at(-1) : end
  return { requests, ...(next && { next: requestCursor(next) }) }
}

type Row = typeof requestTable.$inferSelect

/** Matching rows in order, one more than the page has; and the last row read, unless there are no more. */
type Part = Readonly<{ rows: readonly Row[]; end: RequestPlace | undefined }>

async function readSource(
  { db, scannedRows }: Database,
  filter: RequestFilter,
  { rows, rest }: Source,
): Promise<Part> {
  const towards = filter.order === 'oldest' ? asc : desc
  const scanned = db
    .select({
      requestId,
      createdAt,
      matches: sql<number>`case when ${rest ?? sql`true`} then 1 else 0 end`
        .mapWith(Number)
        .as('matches'),
      count: sql<number>`row_number() over (order by ${towards(createdAt)}, ${towards(requestId)})`
        .mapWith(Number)
        .as('count'),
    })
    .from(requestTable)
    .where(and(rows, rangeOf(filter)))
    .orderBy(towards(createdAt), towards(requestId))
    .limit(scannedRows)
    .as('scanned')
  const limit = filter.first + 1
  const read = await db
    .select({
      row: getTableColumns(requestTable),
      matches: scanned.matches,
      count: scanned.count,
    })
    .from(scanned)
    .innerJoin(requestTable, eq(requestTable.requestId, scanned.requestId))
    .where(or(eq(scanned.matches, 1), eq(scanned.count, scannedRows)))
    .orderBy(towards(scanned.createdAt), towards(scanned.requestId))
    .limit(limit)
  const last = read.at(-1)
  const hasMore = read.length === limit || last?.count === scannedRows
  return {
    rows: read.flatMap(({ row, matches }) => (matches === 1 ? [row] : [])),
    end: hasMore && last ? last.row : undefined,
  }
}

/**
 * Number of the matching requests on all pages, at most `limit`. It reads `limit` rows in all, and does not count the
 * requests beyond them.
 */
export async function countRequests(
  { db }: Database,
  { after: _, ...filter }: RequestFilter,
  limit: number,
): Promise<number> {
  let [matching, left] = [0, limit]
  for (const { rows, rest } of listSources(filter)) {
    const scanned = db
      .select({ matches: sql`case when ${rest ?? sql`true`} then 1 end`.as('matches') })
      .from(requestTable)
      .where(and(rows, rangeOf(filter)))
      .orderBy(desc(createdAt))
      .limit(left)
      .as('scanned')
    const [found] = await db
      .select({
        read: sql<number>`count(*)`.mapWith(Number),
        matching: sql<number>`count(${scanned.matches})`.mapWith(Number),
      })
      .from(scanned)
    matching += found?.matching ?? 0
    left -= found?.read ?? 0
    if (left <= 0) break
  }
  return matching
}

/** Whether the quote of `one` is older than that of `other`. */
const isOlder = (one: RequestPlace, other: RequestPlace): boolean =>
  one.createdAt === other.createdAt
    ? one.requestId < other.requestId
    : one.createdAt < other.createdAt

function rangeOf({ createdFrom, createdUntil, order, after }: RequestFilter): SQL | undefined {
  return and(
    createdFrom === undefined ? undefined : gte(createdAt, createdFrom),
    createdUntil === undefined ? undefined : lte(createdAt, createdUntil),
    after === undefined ? undefined : isBeyond(after, order === 'oldest' ? '>' : '<'),
  )
}

function isBeyond(after: string, comparison: '<' | '>'): SQL {
  const cursor = parseRequestCursor(after)
  if (cursor === undefined) throw new AppError('INVALID_REQUEST', 'Not a cursor of this list')
  const [time, id] = cursor
  return sql`(${createdAt}, ${requestId}) ${sql.raw(comparison)} (${time}::bigint, ${id}::text)`
}

/** Quotes from before values were stored count as worth nothing. */
const totalUsd = sql<string>`coalesce(sum((${summary} ->> 'outUsd')::numeric), 0)`

/** The currencies of successful requests that were quoted at `since` (Unix ms) or later, the most bought first. */
export async function boughtSince(
  { db }: Database,
  since: number,
  order: 'count' | 'usd',
  limit: number,
): Promise<readonly Readonly<{ chainId: ChainId; address: Address }>[]> {
  const rows = await db
    .select({ chainId: destinationChainId, address: destinationCurrency })
    .from(requestTable)
    // A literal: with a parameter Postgres could not use the partial index.
    .where(and(eq(status, sql.raw(`'success'`)), gte(createdAt, since)))
    .groupBy(destinationChainId, destinationCurrency)
    .orderBy(desc(order === 'count' ? count() : totalUsd), destinationChainId, destinationCurrency)
    .limit(limit)
  return rows.map(({ chainId, address }) => ({
    chainId: toChainId(chainId),
    address: toAddress(address),
  }))
}
