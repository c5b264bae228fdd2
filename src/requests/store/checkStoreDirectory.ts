import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '#src/errors.ts'
import { checkFreeSpace } from './connection/freeSpace.ts'
import { lockPath } from './connection/lockPath.ts'

/** A new database takes 30 MB. One that exists needs room for its log, and for what its memory holds. */
const neededMegabytes = { new: 48, existing: 16 }

/**
 * Finds out in a moment whether an embedded database can be opened in the directory, which it creates.
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
