import { existsSync, mkdirSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '#src/core/errors.ts'

/** A new database takes 30 MB. An existing one needs room for its log and for the pages in its memory. */
const neededMegabytes = { new: 48, existing: 16 }

/**
 * Checks quickly that an embedded database can be opened in the directory. Creates the directory.
 * @throws Error with the directory and the reason
 */
export async function checkStoreDirectory(directory: string): Promise<void> {
  const path = join(directory, 'postgres')
  try {
    mkdirSync(directory, { recursive: true })
    await checkFreeSpace(directory, neededMegabytes[existsSync(path) ? 'existing' : 'new'])
  } catch (error) {
    throw new Error(`DATA_DIRECTORY ${directory} cannot be written: ${reasonOf(error)}`)
  }
  lockPath(path)()
}

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

const megabyte = Buffer.alloc(1_048_576)

/**
 * Writes `megabytes` to a file in the directory and deletes it, because the file system's statistics contain neither
 * quotas nor the limits of this process. Writes nothing if the statistics show too little free space.
 * @throws Error with the reason if it cannot be written.
 */
export async function checkFreeSpace(directory: string, megabytes: number): Promise<void> {
  // The name is always the same, so that the next check deletes the file of a killed process.
  const path = join(directory, '.space')
  try {
    await rm(path, { force: true })
    const { blocks, bavail, bsize } = await statfs(directory)
    // Some network file systems report no sizes.
    if (blocks > 0 && bavail * bsize < megabytes * megabyte.length) throw new DiskFullError()
    await writeFile(path, megabytes).finally(() => rm(path, { force: true }))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const shortage = shortages[code]
    if (shortage !== undefined) throw new Error(`${shortage} (${megabytes} MB must be free)`)
    throw new Error(obstacles[code] ?? reasonOf(error))
  }
}

class DiskFullError extends Error {
  readonly code = 'ENOSPC'
}

async function writeFile(path: string, megabytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let written = 0; written < megabytes; written += 1) await file.appendFile(megabyte)
    await file.sync()
  } finally {
    await file.close()
  }
}

const shortages: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'files may not grow that large',
}

const obstacles: Readonly<Record<string, string>> = {
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write here',
  EPERM: 'this user may not write here',
  EIO: 'the disk fails',
}
