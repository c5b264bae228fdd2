import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { migrationsFolder } from '#src/requests/store/connection/database.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { storesDirectory } from './storesOfRun.ts'

const database = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
const wasm = join(database, 'pglite.wasm')

let template: Promise<string> | undefined
/** Keeps the module alive, so that the threads of all databases share its compiled code. */
let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Creates a directory with an embedded database and empty tables. It copies a template, which takes 0.1 s
 * instead of the 5 s of a new database.
 */
export async function makeStoreDirectory(): Promise<string> {
  template ??= findTemplate()
  compiled ??= WebAssembly.compile(readFileSync(wasm))
  const [from] = await Promise.all([template, compiled])
  const directory = mkdtempSync(join(storesDirectory(), 'store-'))
  cpSync(from, join(directory, 'postgres'), { recursive: true })
  return directory
}

/**
 * Template directory under `.crossquote/templates`. It is reused until the embedded database or the migrations change.
 */
async function findTemplate(): Promise<string> {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const templates = join(root, '.crossquote', 'templates')
  const path = join(templates, hashOf(sources()))
  if (existsSync(path)) return path
  mkdirSync(templates, { recursive: true })
  const directory = mkdtempSync(join(templates, 'new-'))
  const store = await openRequestStore(
    { log: createLog('silent'), bus: createLocalBus() },
    { directory },
  )
  await store.close()
  try {
    renameSync(join(directory, 'postgres'), path)
  } catch (error) {
    // Another worker has created it meanwhile.
    if (!existsSync(path)) throw error
  }
  rmSync(directory, { recursive: true })
  return path
}

/** The files that determine the contents of a new database. */
function sources(): string[] {
  const files = createRequire(import.meta.url).resolve(
    '#src/requests/store/connection/pgliteThread.ts',
  )
  return [files, wasm, ...globSync(join(migrationsFolder, '**/*.*')).sort()]
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
