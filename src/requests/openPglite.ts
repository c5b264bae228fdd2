import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { type Database, migrationsFolder } from './database.ts'
import { lockPath } from './lockPath.ts'

/**
 * Postgres in this process, on disk under `<directory>/postgres`. What is committed outlives the
 * process however it ends; it does not outlive a power cut in every case, since this Postgres leaves
 * it to the system when to bring its files to the disk.
 * @throws Error when another process has the directory open.
 */
export async function openPglite(directory: string): Promise<Database> {
  const path = join(directory, 'postgres')
  const unlock = lockPath(path)
  try {
    const client = await boot(path)
    const db = drizzle(client)
    await migrate(db, { migrationsFolder })
    return {
      db,
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Moves a new data directory into place once it is whole: one that is half made never opens. */
async function boot(path: string): Promise<PGlite> {
  if (!existsSync(path)) {
    const half = `${path}.new`
    rmSync(half, { recursive: true, force: true })
    const client = await PGlite.create(half)
    await client.close()
    renameSync(half, path)
  }
  return PGlite.create(path)
}
