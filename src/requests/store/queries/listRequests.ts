import { and, asc, count, desc, eq, gt, gte, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#src/errors.ts'
import type { RequestFilter, RequestPage } from '#src/requests/requestFilter.ts'
import { parseRequestCursor, requestCursor } from '#src/requests/requestStore.ts'
import { type RequestStatus, requestStatuses } from '#src/requests/status/requestStatus.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { hasTransaction, requestTable } from '#src/requests/store/tables/requestTable.ts'

const { requestId, orderId, user, recipient, originChainId, destinationChainId } = requestTable
const { status, seq, referrer, createdAt, depositAddress, parentId } = requestTable

/** In the order of their quotes; requests of the same millisecond are ordered by id. */
export async function listRequests(
  { db }: Pick<Database, 'db'>,
  filter: RequestFilter,
): Promise<RequestPage> {
  const { first, order } = filter
  const isOldestFirst = order === 'oldest'
  const towards = isOldestFirst ? asc : desc
  const shared = conditionsOf(filter)
  const pages = await Promise.all(
    accountsOf(filter).flatMap((account) =>
      chainsOf(filter).map((chain) =>
        db
          .select()
          .from(requestTable)
          .where(and(shared, account, chain))
          .orderBy(towards(createdAt), towards(requestId))
          .limit(first + 1),
      ),
    ),
  )
  const sorted = isOldestFirst ? oldestFirst : newestFirst
  const rows = pages.length === 1 ? (pages[0] ?? []) : pages.flat().sort(sorted)
  const requests = rows.slice(0, first).map(parseRequest)
  const last = requests.at(-1)
  return { requests, ...(rows.length > first && last && { next: requestCursor(last) }) }
}

/** Each alternative counts rows that no other one has. */
export async function countRequests(
  { db }: Pick<Database, 'db'>,
  filter: RequestFilter,
  limit: number,
): Promise<number> {
  const { after: _, ...all } = filter
  const shared = conditionsOf(all)
  const counts = await Promise.all(
    accountsOf(filter).flatMap((account) =>
      chainsOf(filter).map((chain) =>
        db.select({ count: count() }).from(
          db
            .select({ requestId })
            .from(requestTable)
            .where(and(shared, account, chain))
            .limit(limit)
            .as('counted'),
        ),
      ),
    ),
  )
  return Math.min(
    counts.flat().reduce((sum, { count }) => sum + count, 0),
    limit,
  )
}

type Row = typeof requestTable.$inferSelect

const newestFirst = (one: Row, other: Row): number =>
  other.createdAt - one.createdAt || (one.requestId < other.requestId ? 1 : -1)

const oldestFirst = (one: Row, other: Row): number => newestFirst(other, one)

function conditionsOf(filter: RequestFilter): SQL | undefined {
  const { txHash, createdFrom, createdUntil, order, after } = filter
  return and(
    equal(user, filter.user),
    filter.statuses === undefined ? undefined : isAnyOf(filter.statuses),
    equal(originChainId, filter.originChainId),
    equal(destinationChainId, filter.destinationChainId),
    equal(orderId, filter.orderId),
    // Until a deposit is seen, the id of an order is known to the user alone.
    filter.orderId === undefined ? undefined : gt(seq, 0),
    equal(referrer, filter.referrer),
    equal(depositAddress, filter.depositAddress),
    equal(parentId, filter.parentId),
    filter.family === undefined
      ? undefined
      : or(eq(requestId, filter.family), eq(parentId, filter.family)),
    filter.withoutChildren === true ? isNull(parentId) : undefined,
    txHash === undefined ? undefined : hasTransaction(txHash),
    createdFrom === undefined ? undefined : gte(createdAt, createdFrom),
    createdUntil === undefined ? undefined : lte(createdAt, createdUntil),
    after === undefined ? undefined : isBeyond(after, order === 'oldest' ? '>' : '<'),
  )
}

const equal = <Value>(column: Parameters<typeof eq>[0], value: Value | undefined) =>
  value === undefined ? undefined : eq(column, value)

/** Conditions of which a row meets exactly one. Each has its own query, because each has its own index. */
type Alternatives = readonly (SQL | undefined)[]

const accountsOf = ({ account }: RequestFilter): Alternatives =>
  account === undefined
    ? [undefined]
    : [
        eq(user, account),
        and(eq(recipient, account), ne(recipient, user)),
        and(eq(depositAddress, account), ne(user, account), ne(recipient, account)),
      ]

const chainsOf = ({ chainId }: RequestFilter): Alternatives =>
  chainId === undefined
    ? [undefined]
    : [eq(originChainId, chainId), and(eq(destinationChainId, chainId), ne(originChainId, chainId))]

function isBeyond(after: string, comparison: '<' | '>'): SQL {
  const cursor = parseRequestCursor(after)
  if (cursor === undefined) throw new AppError('INVALID_REQUEST', 'Not a cursor of this list')
  const [time, id] = cursor
  return sql`(${createdAt}, ${requestId}) ${sql.raw(comparison)} (${time}::bigint, ${id}::text)`
}

/** Written out as literals: with a parameter Postgres could not use the partial index. */
function isAnyOf(statuses: readonly RequestStatus[]): SQL {
  // Sorted and distinct, so that few different statements are prepared.
  const wanted = requestStatuses.filter((each) => statuses.includes(each))
  if (wanted.length === 0) return sql`false`
  const list = wanted.map((each) => sql.raw(`'${each}'`))
  return sql`${status} in (${sql.join(list, sql`, `)})`
}
