import { getTableColumns, type Table } from 'drizzle-orm'

/** A row, or some of its columns, as JSON. The keys are the SQL column names; bigints are decimal strings. */
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
