import { fileURLToPath } from 'node:url'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** Postgres behind either driver: both take the same SQL, one statement at a time. */
export type Database = Readonly<{
  db: Pick<PgDatabase<PgQueryResultHKT>, 'delete' | 'insert' | 'select' | 'update'>
  close: () => Promise<void>
}>

/** As drizzle-kit wrote them; found from wherever the process was started. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
