import { getTableColumns } from 'drizzle-orm'
import type { QuotedRequest } from './quotedRequest.ts'
import { requestTable } from './requestTable.ts'

/** A row of a new request as JSON: columns by their names in SQL, bigints as decimal strings. */
export function encodeRow(request: QuotedRequest): string {
  const row: typeof requestTable.$inferInsert = { ...request, status: 'waiting', seq: 0 }
  const named = Object.entries(row).map(([key, value]) => [columnNames.get(key), value])
  return JSON.stringify(Object.fromEntries(named), (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

const columnNames = new Map(
  Object.entries(getTableColumns(requestTable)).map(([key, column]) => [key, column.name]),
)
