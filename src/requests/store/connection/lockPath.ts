import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Holds `path` for this process, by `<path>.lock`, until what it gives back is called. The lock is
 * SQLite's, which the system takes back however the process ends: node itself locks no files.
 * @throws Error when another holds it, in this process or any other.
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
      `Another process has ${path} open. Stop it, name another directory, or share a Postgres server.`,
    )
  }
  return () => lock.close()
}

/** @source https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
