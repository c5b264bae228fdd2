import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Holds `directory` for this process until what it gives back is called. The lock is SQLite's, which
 * the system takes back however the process ends: node itself offers no lock on a file.
 * @throws Error when another holds it, in this process or any other.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true })
  const lock = new DatabaseSync(join(directory, 'lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new Error(
      `Another process has ${directory} open: stop it, name another directory, or set DATABASE_URL to share a Postgres server`,
    )
  }
  return () => lock.close()
}

/** @source https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
