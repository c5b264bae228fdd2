import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const enoughBytes = 4e9

/** A file system in memory, if there is one with enough space: a copy then takes a quarter of the time. */
function fastDirectory(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < enoughBytes ? tmpdir() : memory
}

/** The directory of stores: one for a whole run of vitest, else the system’s. */
export const storesDirectory = (): string =>
  // biome-ignore lint/style/noProcessEnv: set for the processes of a run by its set-up.
  process.env['TEST_STORES'] ?? fastDirectory()

/** Runs before all tests. */
export function setup(): void {
  // biome-ignore lint/style/noProcessEnv: the processes of the tests inherit it.
  process.env['TEST_STORES'] = mkdtempSync(join(fastDirectory(), 'stores-'))
}

/** Runs after all tests. Databases stay open for the next test of their process, and are closed by its end. */
export function teardown(): void {
  rmSync(storesDirectory(), { recursive: true, force: true })
}
