import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#src/errors.ts'
import type { RequestFilter, RequestPage } from '#src/requests/requestStore.ts'
import { requestCursor } from '#src/requests/requestStore.ts'
import { type RequestStatus, requestStatuses } from '#src/requests/status/requestStatus.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'

/** `after` is not the `next` of any page. */
class UnknownPageError extends AppError {
  constructor() {
    super('INVALID_REQUEST', '`after` is invalid: pass the `next` of the previous page.')
  }
}

const { requestId, user, status, createdAt } = requestTable

/** Newest first; requests of the same millisecond are ordered by id. */
export async function listRequests(
  { db }: Pick<Database, 'db'>,
  { user: of, statuses, first, after }: RequestFilter,
): Promise<RequestPage> {
  const rows = await db
    .select()
    .from(requestTable)
    .where(
      and(
        of === undefined ? undefined : eq(user, of),
        statuses === undefined ? undefined : isAnyOf(statuses),
        after === undefined ? undefined : isBefore(after),
      ),
    )
    .orderBy(desc(createdAt), desc(requestId))
    .limit(first + 1)
  const requests = rows.slice(0, first).map(parseRequest)
  const last = requests.at(-1)
  return { requests, ...(rows.length > first && last && { next: requestCursor(last) }) }
}

function isBefore(after: string): SQL {
  const [, time, id] = /^([0-9]{1,16})-(0x[0-9a-f]{64})$/.exec(after) ?? []
  if (time === undefined || id === undefined) throw new UnknownPageError()
  return sql`(${createdAt}, ${requestId}) < (${time}::bigint, ${id}::text)`
}

/** Written out as literals: with a parameter Postgres could not use the partial index. */
function isAnyOf(statuses: readonly RequestStatus[]): SQL {
  // Sorted and distinct, so that few different statements are prepared.
  const wanted = requestStatuses.filter((each) => statuses.includes(each))
  if (wanted.length === 0) return sql`false`
  const list = wanted.map((each) => sql.raw(`'${each}'`))
  return sql`${status} in (${sql.join(list, sql`, `)})`
}
