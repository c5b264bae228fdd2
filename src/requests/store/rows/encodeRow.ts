import { getTableColumns, type Table } from 'drizzle-orm'

/** A row, or some of its columns, as JSON. The keys are the SQL column names; bigints are decimal strings. */
export function encodeRow<Of extends Table>(
  table: Of,
  row: Readonly<Partial<Of['$inferInsert']>>,
): string {
  const names = columnNames(table)
  const named = Object.entries(row).map(([key, value]) => [names.get(key), withText(value)])
  return JSON.stringify(Object.fromEntries(named))
}

/**
 * A copy with text in place of bigints. A replacer of `JSON.stringify` would do the same, but makes it several times
 * slower, and each quote is encoded.
 */
function withText(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withText)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) copy[key] = withText((value as typeof copy)[key])
  return copy
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
