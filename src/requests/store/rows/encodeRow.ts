import { getTableColumns, type Table } from 'drizzle-orm'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'

/** A row of a new request as JSON. */
export const encodeRequest = (request: QuotedRequest): string =>
  encodeRow(requestTable, { ...request, status: 'waiting', seq: 0, version: 1 })

/** A row, or some columns of one, as JSON: by their names in SQL, bigints as decimal strings. */
export function encodeRow<Of extends Table>(
  table: Of,
  row: Readonly<Partial<Of['$inferInsert']>>,
): string {
  const names = columnNames(table)
  const named = Object.entries(row).map(([key, value]) => [names.get(key), value])
  return JSON.stringify(Object.fromEntries(named), (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

const namesByTable = new Map<Table, ReadonlyMap<string, string>>()

function columnNames(table: Table): ReadonlyMap<string, string> {
  const known = namesByTable.get(table)
  if (known !== undefined) return known
  const names = new Map(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, column.name]),
  )
  namesByTable.set(table, names)
  return names
}
