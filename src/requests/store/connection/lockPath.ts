import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks `path` for this process by `<path>.lock`, and returns the function that unlocks it. SQLite holds the lock, as
 * Node cannot lock files. The system releases it however the process ends.
 * @throws Error if it is already locked, by this process or another.
 */
export function lockPath(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new Error(
      `Another process has ${path} open. Stop it, configure another directory, or use a Postgres server.`,
    )
  }
  return () => lock.close()
}

/** @source https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
