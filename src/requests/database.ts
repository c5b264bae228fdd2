import { fileURLToPath } from 'node:url'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Postgres behind either driver: both take the same SQL. */
export type Database = Readonly<{
  db: PgDatabase<PgQueryResultHKT>
  close: () => Promise<void>
}>

/** As drizzle-kit wrote them; found from wherever the process was started. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
