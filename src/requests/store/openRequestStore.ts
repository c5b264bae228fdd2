import { reasonOf } from '#src/core/errors.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openPglite } from './connection/openPglite.ts'
import { openPostgres } from './connection/openPostgres.ts'
import { createRequestStore, type StoreDeps, type StoreOptions } from './createRequestStore.ts'

type Where = Readonly<{ databaseUrl?: string; directory: string }>

/**
 * Opens the Postgres server at `databaseUrl`, or without one an embedded database under `directory`. Runs pending
 * migrations first.
 * @throws Error with the reason.
 */
export async function openRequestStore(
  deps: StoreDeps,
  { databaseUrl, directory, webhookKeys = new Set() }: Where & StoreOptions,
): Promise<RequestStore> {
  try {
    const database =
      databaseUrl === undefined ? openPglite(directory) : openPostgres(databaseUrl, deps.log)
    return createRequestStore(deps, { ...(await database), webhookKeys })
  } catch (error) {
    // Without the error as its cause: some errors contain the URL with the password.
    throw new Error(`Could not open the request store: ${reasonOf(error)}`)
  }
}
