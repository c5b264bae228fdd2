import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Log } from '#src/config/log.ts'
import { type Bus, createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { makeStoreDirectory } from './storeDirectory.ts'

type Options = Readonly<{ log?: Log; bus?: Bus; webhookKeys?: ReadonlySet<string> }>

/** A database for one test. The test opens stores on it. */
export type StoreHome = Readonly<{
  where: Readonly<{ directory: string; databaseUrl?: string }>
  open: (options?: Options) => Promise<RequestStore>
  /**
   * Runs one or more SQL statements and returns the rows of the last. No store may have an embedded database open at the
   * same time.
   */
  query: (text: string) => Promise<readonly Record<string, unknown>[]>
  remove: () => Promise<void>
}>

/** URL of the Postgres server on which tests create databases; undefined without TEST_DATABASE_URL. */
// biome-ignore lint/style/noProcessEnv: vitest passes on only variables that start with VITE_.
export const serverUrl = process.env['TEST_DATABASE_URL']

/** Names of the kinds of database that this machine can test, each with a function that creates one. */
export const storeHomes: readonly (readonly [string, () => Promise<StoreHome>])[] = [
  ['PGlite', createPgliteHome],
  ...(serverUrl === undefined ? [] : [['Postgres', createPostgresHome] as const]),
]

const silent = () => undefined
export const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent }

/** An embedded database with its tables. */
export async function createPgliteHome(): Promise<StoreHome> {
  return homeIn(await makeStoreDirectory())
}

/** Names of the same kinds of database, each with a function that creates one without tables. */
export const emptyHomes: typeof storeHomes = storeHomes.map(([name, create]) => [
  name,
  name === 'PGlite' ? async () => createEmptyHome() : create,
])

/** A directory without an embedded database. Opening a store creates one. */
export async function createEmptyHome(): Promise<StoreHome> {
  return homeIn(mkdtempSync(join(tmpdir(), 'store-')))
}

function homeIn(directory: string): StoreHome {
  return {
    where: { directory },
    open: (options) => openStore({ directory }, options),
    query: async (text) => {
      const client = await PGlite.create(join(directory, 'postgres'))
      const results = await client.exec(text)
      await client.close()
      return results.at(-1)?.rows ?? []
    },
    remove: async () => rmSync(directory, { recursive: true }),
  }
}

/** Creates a new Postgres database, so that concurrent runs do not share one. */
export async function createPostgresHome(): Promise<StoreHome> {
  const database = `crossquote_${randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl ?? '')
  url.pathname = database
  await ask(serverUrl ?? '', `create database ${database}`)
  const where = { directory: '/nowhere', databaseUrl: url.href }
  return {
    where,
    open: (options) => openStore(where, options),
    query: (text) => ask(url.href, text),
    remove: async () => {
      await ask(serverUrl ?? '', `drop database ${database} with (force)`)
    },
  }
}

const openStore = (
  where: StoreHome['where'],
  { log = silentLog, bus = createLocalBus(), ...options }: Options = {},
) => openRequestStore({ log, bus }, { ...where, ...options })

async function ask(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  // One result for each statement, if there are several.
  const results = [await client.query<Record<string, unknown>>(text)].flat()
  await client.end()
  return results.at(-1)?.rows ?? []
}
