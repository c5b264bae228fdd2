import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '#src/core/errors.ts'
import { checkFreeSpace } from './connection/freeSpace.ts'
import { lockPath } from './connection/lockPath.ts'

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
