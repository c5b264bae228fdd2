import { type Column, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core'
import type { Statement } from '#src/requests/store/connection/database.ts'

const dialect = new PgDialect()

export function toStatement(query: SQL, rows?: number): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { text, params, ...(rows !== undefined && { rows }) }
}

/** A parameter of a prepared query. The queries of each solver round are built once. */
export const given = (name: string): Placeholder => sql.placeholder(name)

/** Sorts before all row ids. */
export const first = ''

/**
 * The JSON rows as a row set. It has one parameter for any number of rows, so that the statement's text is constant.
 */
export const rowsOf = (table: PgTable, rows: readonly string[]): SQL =>
  sql`json_populate_recordset(null::${table}, ${`[${rows.join(',')}]`}::json)`

/** The column's name without its table. */
export const bare = ({ name }: Column): SQL => sql`${sql.identifier(name)}`

/**
 * Whether the column is one of the values. Has one parameter for any number, so that the statement's text is constant.
 */
export const isOneOf = (column: Column, values: readonly string[]): SQL =>
  sql`${column} = any(${arrayOf(values)}::text[])`

/** The values as the text of one Postgres array. */
export const arrayOf = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`

/** The columns of these properties, or all columns. */
export const columnsOf = (table: PgTable, keys?: readonly string[]): readonly Column[] =>
  Object.entries(getTableColumns(table))
    .filter(([key]) => keys === undefined || keys.includes(key))
    .map(([, column]) => column)

export const listOf = (columns: readonly Column[]): SQL => sql.join(columns.map(bare), sql`, `)
