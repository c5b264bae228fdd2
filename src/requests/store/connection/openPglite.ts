import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import { migrate } from 'drizzle-orm/pg-proxy/migrator'
import { queuedReads } from './callerReads.ts'
import { type Database, migrationsFolder, type Rows } from './database.ts'
import { type PgliteClient, startPglite } from './pgliteClient.ts'
import { checkFreeSpace, lockPath } from './storeDirectory.ts'

/**
 * Opens an embedded Postgres with its files under `<directory>/postgres`. It runs in a worker thread, so that it does
 * not block this process. Committed data survives a crash of the process and a power failure. If the database stops,
 * for example on a full disk, calls fail at once, and `check` restarts it from its files.
 * @throws Error if another process has the directory open, or it cannot be written.
 */
export async function openPglite(directory: string): Promise<Database> {
  const path = join(directory, 'postgres')
  const unlock = lockPath(path)
  let client: PgliteClient
  try {
    client = await startPglite(path)
  } catch (error) {
    unlock()
    throw error
  }
  const ask: PgliteClient['ask'] = (message) => client.ask(message)
  /** The current restart, if any. */
  let restarting: Promise<void> | undefined
  const restart = async () => {
    client = await startPglite(path)
  }
  let isClosing = false
  const close = async () => {
    isClosing = true
    await restarting?.catch(() => undefined)
    await client.close().finally(unlock)
  }
  await runMigrations(ask).catch(async (error: unknown) => {
    await close().catch(() => undefined)
    throw error
  })
  return {
    ...overPglite(ask),
    check: async () => {
      await checkFreeSpace(directory, neededMegabytes)
      if (client.hasEnded() && !isClosing) {
        restarting = restart()
        await restarting
      }
      // Writes all data that is only in memory.
      await ask({ text: 'checkpoint', params: [] })
    },
    close,
  }
}

/** The operations of an open database. */
export const overPglite = (ask: PgliteClient['ask']): Omit<Database, 'check' | 'close'> => {
  const db = drizzle(async (text, params) => {
    const [rows = []] = (await ask({ text, params })) as (string | null)[][][]
    return { rows }
  })
  return {
    db,
    callers: queuedReads((statements) => ask({ statements })),
    callersByKey: db,
    // Its buffers are small: a row in a page of its own takes 15 µs.
    scannedRows: 200,
    atomically: (statements) => ask({ statements }),
    vacuum: async (table) => {
      await ask({ text: `vacuum "${getTableName(table)}"`, params: [] })
    },
  }
}

/** Free space that a restart of the database needs, for segments of the log and the pages in its buffers. */
const neededMegabytes = 16

/** Runs from this process, because the thread would need half a second to load Drizzle. */
async function runMigrations(ask: PgliteClient['ask']): Promise<void> {
  const db = drizzle(async (text, params) => {
    const [rows = []] = (await ask({ text, params })) as readonly Rows[]
    // Only the table of past migrations is read here.
    return { rows: rows.map(([id, hash, created_at]) => ({ id, hash, created_at })) }
  })
  const run = async (texts: readonly string[]) => {
    await ask({ statements: texts.map((text) => ({ text, params: [] })) })
  }
  await migrate(db, run, { migrationsFolder })
}
