import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { AppError } from '#src/core/errors.ts'
import { toAccount } from '#src/core/units/account.ts'
import type { Account } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import {
  parseRequestCursor,
  type RequestFilter,
  type RequestPage,
  type RequestPlace,
  requestCursor,
} from '#src/requests/requestList.ts'
import { type RequestStatus, requestStatuses } from '#src/requests/state/requestState.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { hasTransaction, requestTable } from '#src/requests/store/tables/requestTable.ts'

const { requestId, orderId, user, recipient, originChainId, destinationChainId } = requestTable
const { status, seq, state, referrer, deadline, depositAddress, parentId, apiKey } = requestTable
const { originCurrency, destinationCurrency, createdAt, summary } = requestTable

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
): Promise<readonly Readonly<{ chainId: ChainId; address: Account }>[]> {
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
    address: toAccount(address),
  }))
}

/**
 * Rows that one index reads, in the order of the list. `rest` are the other conditions of the filter: a list tests them
 * on a limited number of rows.
 */
type Source = Readonly<{ rows: SQL | undefined; rest: SQL | undefined }>

/** The sources of a list. Together they read each row that can match, once. Each of them has its own index. */
function listSources(filter: RequestFilter): readonly Source[] {
  const { txHash, family, depositAddress: address } = filter
  const account = filter.account ?? filter.recipient
  const sourceOf = createSources(filter)
  if (filter.requestId !== undefined)
    return [sourceOf(eq(requestId, filter.requestId), 'requestId')]
  if (txHash !== undefined) return [sourceOf(hasTransaction(txHash), 'txHash')]
  const paid = filter.depositTxHash ?? filter.fillTxHash ?? filter.refundTxHash
  if (paid !== undefined) return [sourceOf(hasTransaction(paid))]
  if (filter.orderId !== undefined) return [sourceOf(eq(orderId, filter.orderId))]
  if (family !== undefined)
    return [eq(requestId, family), eq(parentId, family)].map((rows) => sourceOf(rows, 'family'))
  if (filter.parentId !== undefined) return [sourceOf(eq(parentId, filter.parentId), 'parentId')]
  if (address !== undefined) {
    const [own, payments] = rowsOfAddress(address)
    const request = sourceOf(own, 'depositAddress', 'withoutChildren')
    if (filter.withoutChildren === true) return [request]
    return [request, sourceOf(payments, 'depositAddress')]
  }
  if (filter.user !== undefined) return byStatus(filter, [eq(user, filter.user)], 'user')
  if (account === undefined) return ofAnybody(filter)
  const others = and(ne(user, account), ne(recipient, account))
  const received = and(eq(recipient, account), ne(recipient, user))
  return [
    ...byStatus(filter, [eq(user, account), received], 'account'),
    ...rowsOfAddress(account).map((rows) => sourceOf(and(rows, others), 'account')),
  ]
}

/** The request of a deposit address, and the requests of the payments to an open one. */
const rowsOfAddress = (address: string) => [
  and(eq(depositAddress, address), isNull(parentId)),
  and(eq(depositAddress, address), isNotNull(parentId)),
]

/** Requests of all users. The indexes of referrers and chains have no unpaid quotes. */
function ofAnybody(filter: RequestFilter): readonly Source[] {
  const { referrer: name, originChainId: origin, destinationChainId: destination } = filter
  const { chainId, statuses } = filter
  const unpaid = unpaidOf(filter, undefined)
  const paid = (rows: readonly (SQL | undefined)[], field?: Field) => [
    ...unpaid,
    ...paidOf(filter, rows, field),
  ]
  if (name !== undefined) return paid([eq(referrer, name)], 'referrer')
  if (origin !== undefined) return paid([eq(originChainId, origin)], 'originChainId')
  if (destination !== undefined)
    return paid([eq(destinationChainId, destination)], 'destinationChainId')
  if (chainId !== undefined) {
    const incoming = and(eq(destinationChainId, chainId), ne(originChainId, chainId))
    return paid([eq(originChainId, chainId), incoming], 'chainId')
  }
  if (isEveryPaid(statuses)) return paid([undefined])
  return paid(
    statuses.filter(isPaid).map((each) => isAnyOf([each])),
    'statuses',
  )
}

/** Unpaid quotes and other requests have indexes of their own: anybody can quote in the name of any user. */
const byStatus = (filter: RequestFilter, rows: readonly (SQL | undefined)[], field: Field) => [
  ...rows.flatMap((each) => unpaidOf(filter, each, field)),
  ...paidOf(filter, rows, field),
]

function unpaidOf(
  filter: RequestFilter,
  rows: SQL | undefined,
  ...answered: readonly Field[]
): readonly Source[] {
  if (filter.statuses?.includes('waiting') === false) return []
  const unpaid = and(rows, sql`${status} = 'waiting'`)
  return [createSources(filter)(unpaid, 'statuses', ...answered)]
}

function paidOf(
  filter: RequestFilter,
  rows: readonly (SQL | undefined)[],
  field?: Field,
): readonly Source[] {
  const { statuses } = filter
  if (statuses?.some(isPaid) === false) return []
  const answered: readonly Field[] = [
    ...(field === undefined ? [] : [field]),
    ...(isEveryPaid(statuses) ? (['statuses'] as const) : []),
    'withoutExpiredAt',
  ]
  const sourceOf = createSources(filter)
  return rows.map((each) => sourceOf(and(each, sql`${status} <> 'waiting'`), ...answered))
}

const isPaid = (one: RequestStatus): boolean => one !== 'waiting'

const isEveryPaid = (statuses: RequestFilter['statuses']): statuses is undefined =>
  statuses === undefined || requestStatuses.filter(isPaid).every((each) => statuses.includes(each))

type Field = keyof ReturnType<typeof conditionsOf>

/** Makes a source of rows. They meet the conditions of the `answered` fields, so that these are not tested. */
function createSources(filter: RequestFilter) {
  const conditions = conditionsOf(filter)
  return (rows: SQL | undefined, ...answered: readonly Field[]): Source => ({
    rows,
    rest: and(
      ...Object.entries(conditions).map(([field, condition]) =>
        answered.includes(field as Field) ? undefined : condition,
      ),
    ),
  })
}

/** The conditions of a filter apart from its times. */
const conditionsOf = (filter: RequestFilter) => ({
  requestId: equal(requestId, filter.requestId),
  txHash: filter.txHash && hasTransaction(filter.txHash),
  depositTxHash:
    filter.depositTxHash && sql`(${state}::jsonb -> 'inTxHashes') ? ${filter.depositTxHash}::text`,
  fillTxHash:
    filter.fillTxHash &&
    sql`${state} -> 'fill' -> 'transaction' ->> 'hash' = ${filter.fillTxHash}::text`,
  refundTxHash: filter.refundTxHash && hasRefund(filter.refundTxHash),
  // Until a deposit is seen, the id of an order is known to the user alone.
  orderId: filter.orderId && and(eq(orderId, filter.orderId), sql`${seq} > 0`),
  family: filter.family && or(eq(requestId, filter.family), eq(parentId, filter.family)),
  parentId: equal(parentId, filter.parentId),
  depositAddress: equal(depositAddress, filter.depositAddress),
  withoutChildren: filter.withoutChildren === true ? isNull(parentId) : undefined,
  user: equal(user, filter.user),
  recipient: equal(recipient, filter.recipient),
  originCurrency: equal(originCurrency, filter.originCurrency),
  destinationCurrency: equal(destinationCurrency, filter.destinationCurrency),
  apiKey: equal(apiKey, filter.apiKey),
  failReason: equal(sql`${state} ->> 'failReason'`, filter.failReason),
  refundFailReason: equal(sql`${state} ->> 'refundFailReason'`, filter.refundFailReason),
  account:
    filter.account &&
    or(eq(user, filter.account), eq(recipient, filter.account), eq(depositAddress, filter.account)),
  referrer: equal(referrer, filter.referrer),
  originChainId: equal(originChainId, filter.originChainId),
  destinationChainId: equal(destinationChainId, filter.destinationChainId),
  chainId:
    filter.chainId && or(eq(originChainId, filter.chainId), eq(destinationChainId, filter.chainId)),
  statuses: filter.statuses && isAnyOf(filter.statuses),
  withoutExpiredAt:
    filter.withoutExpiredAt === undefined
      ? undefined
      : or(sql`${status} <> 'waiting'`, gte(deadline, filter.withoutExpiredAt)),
})

const equal = <Value>(column: Parameters<typeof eq>[0] | SQL, value: Value | undefined) =>
  value === undefined ? undefined : eq(column, value)

const hasRefund = (hash: string) =>
  sql`(${state}::jsonb -> 'refunds') @> ${JSON.stringify([{ transaction: { hash } }])}::text::jsonb`

/** Written out as literals: with a parameter Postgres could not use the partial index. */
function isAnyOf(statuses: readonly RequestStatus[]): SQL {
  // Sorted and distinct, so that few different statements are prepared.
  const wanted = requestStatuses.filter((each) => statuses.includes(each))
  if (wanted.length === 0) return sql`false`
  const list = wanted.map((each) => sql.raw(`'${each}'`))
  return sql`${status} in (${sql.join(list, sql`, `)})`
}
