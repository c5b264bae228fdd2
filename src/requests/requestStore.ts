import { eq, sql } from 'drizzle-orm'
import type { Log } from '#src/log.ts'
import type { Database } from './database.ts'
import { reasonOf, StoreUnavailableError, unavailable } from './databaseError.ts'
import { createGroupCommit } from './groupCommit.ts'
import { createInsert, type Entry } from './insertRequests.ts'
import { openPglite } from './openPglite.ts'
import { openPostgres } from './openPostgres.ts'
import { parseRow } from './parseRow.ts'
import type { QuotedRequest, StoredRequest } from './quotedRequest.ts'
import { encodeRow } from './requestRow.ts'
import { requestTable } from './requestTable.ts'

/** Every request that was quoted with steps. */
export type RequestStore = Readonly<{
  /**
   * Resolves once the request is committed.
   * @throws StoreUnavailableError when that cannot be done, or cannot be known to be done.
   */
  put: (request: QuotedRequest) => Promise<void>
  /** @throws StoreUnavailableError */
  find: (requestId: string) => Promise<StoredRequest | undefined>
  /** Stores what was put before, then lets the database go. Safe to call twice. */
  close: () => Promise<void>
}>

/**
 * Opens the Postgres server at `databaseUrl`, else one embedded in this process under `directory`;
 * tables are brought up to date first.
 * @throws Error that says why it cannot.
 */
export async function openRequestStore(
  { log }: Readonly<{ log: Log }>,
  { databaseUrl, directory }: Readonly<{ databaseUrl?: string; directory: string }>,
): Promise<RequestStore> {
  try {
    const database =
      databaseUrl === undefined ? openPglite(directory) : openPostgres(databaseUrl, log)
    return createRequestStore(log, await database)
  } catch (error) {
    // Without the error itself: some name the URL, with the password in it.
    throw new Error(`The store of requests does not open: ${reasonOf(error)}`)
  }
}

/** A row in JSON is about 4,000 characters, and far more where `txs` have much calldata. */
const limits = { batchEntries: 128, batchSize: 4_000_000, waitingSize: 64_000_000 }

function createRequestStore(log: Log, { db, close }: Database): RequestStore {
  const commits = createGroupCommit<Entry>(
    {
      write: createInsert(log, db),
      sizeOf: ({ row }) => row.length,
      refuse: () => new StoreUnavailableError(),
    },
    limits,
  )
  const select = db
    .select()
    .from(requestTable)
    .where(eq(requestTable.requestId, sql.placeholder('requestId')))
    .prepare('find_request')
  let closing: Promise<void> | undefined

  return {
    put: async (request) => commits.put({ requestId: request.requestId, row: encodeRow(request) }),
    find: async (requestId) => {
      const rows = await select.execute({ requestId }).catch((error: unknown) => {
        throw unavailable(log, error, 'Looking a request up')
      })
      return rows[0] && parseRow(rows[0])
    },
    close: () => {
      closing ??= commits.close().then(close)
      return closing
    },
  }
}
