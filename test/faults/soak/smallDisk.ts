import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountTmpfs, unmount } from '#test/support/store/smallDisk.ts'

/** A copy of the directory on a disk of its own in memory; undefined if nothing may be mounted. */
export function mountSmallDisk(from: string, megabytes: number) {
  const directory = mkdtempSync(join(tmpdir(), 'soakDisk-'))
  if (!mountTmpfs(directory, megabytes)) {
    rmSync(directory, { recursive: true })
    return undefined
  }
  cpSync(from, directory, { recursive: true })
  return { directory, unmount: () => unmount(directory) }
}
