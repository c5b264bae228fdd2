import { join } from 'node:path'
import type { RequestStore } from '#src/requests/requestStore.ts'
import {
  overPglite,
  type PgliteClient,
  startPglite,
} from '#src/requests/store/connection/openPglite.ts'
import {
  createRequestStore,
  type StoreDeps,
  type StoreOptions,
} from '#src/requests/store/openRequestStore.ts'
import { makeStoreDirectory } from './storeDirectory.ts'

/** The open databases that no store uses. A process runs one test file after the other. */
const idle: PgliteClient[] = []

/**
 * Opens a store on an empty embedded database. The database may be one that earlier tests of this process have used and
 * that is emptied now: a new one takes a second of CPU time.
 */
export async function openEmptyStore(
  deps: StoreDeps,
  { webhookKeys = new Set() }: StoreOptions = {},
): Promise<RequestStore> {
  const client = idle.pop() ?? (await startPglite(join(await makeStoreDirectory(), 'postgres')))
  await client.ask({ text: emptyAll, params: [] })
  let isOpen = true
  return createRequestStore(deps, {
    ...overPglite((message) =>
      isOpen ? client.ask(message) : Promise.reject(new Error('The store is closed')),
    ),
    webhookKeys,
    check: async () => {
      await client.ask({ text: 'checkpoint', params: [] })
    },
    close: async () => {
      if (isOpen && !client.hasEnded()) idle.push(client)
      isOpen = false
    },
  })
}

const emptyAll = `do $$ begin
  execute (select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity'
    from pg_tables where schemaname = 'public');
end $$`
