import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '#src/core/errors.ts'

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
