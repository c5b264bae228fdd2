import { DrizzleQueryError, eq, getTableColumns, sql } from 'drizzle-orm'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { Database } from './database.ts'
import { createGroupCommit } from './groupCommit.ts'
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

/** The database failed, or has fallen too far behind. */
class StoreUnavailableError extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'Requests cannot be stored or looked up now. Try again.')
  }
}

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
    return createRequestStore(
      log,
      databaseUrl === undefined
        ? await openPglite(directory)
        : await openPostgres(databaseUrl, log),
    )
  } catch (error) {
    // Without the error itself: some name the URL, with the password in it.
    throw new Error(`The store of requests does not open: ${reasonOf(error)}`)
  }
}

/** A row in JSON is about 4,000 characters, and up to 2 million where `txs` fill it. */
const limits = { batchEntries: 128, batchSize: 4_000_000, waitingSize: 64_000_000 }

function createRequestStore(log: Log, { db, close }: Database): RequestStore {
  const insert = prepareInsert(db)
  const select = db
    .select()
    .from(requestTable)
    .where(eq(requestTable.requestId, sql.placeholder('requestId')))
    .prepare('find_request')

  const unavailable = (error: unknown, doing: string) => {
    log.error({ reason: reasonOf(error) }, `${doing} failed`)
    return new StoreUnavailableError()
  }

  /** Alone, so that one that the database refuses takes no other with it. */
  async function writeEach(batch: readonly Entry[]): Promise<(Error | undefined)[]> {
    const outcomes: (Error | undefined)[] = []
    for (const entry of batch) {
      const outcome = await write([entry]).catch((error: Error) => [error])
      outcomes.push(...outcome)
    }
    return outcomes
  }

  async function write(batch: readonly Entry[]): Promise<readonly (Error | undefined)[]> {
    try {
      const rows = `[${batch.map(({ row }) => row).join(',')}]`
      const stored = new Set((await insert.execute({ rows })).map(({ requestId }) => requestId))
      // The set gives each id once: of two that came in one batch, the second is refused.
      return batch.map(({ requestId }) =>
        stored.delete(requestId) ? undefined : new Error(`${requestId} is stored already`),
      )
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) return writeEach(batch)
      throw unavailable(error, `Storing ${batch.length} requests`)
    }
  }

  const commits = createGroupCommit<Entry>(
    { write, sizeOf: ({ row }) => row.length, refuse: () => new StoreUnavailableError() },
    limits,
  )
  let closing: Promise<void> | undefined
  return {
    put: async (request) => commits.put({ requestId: request.requestId, row: encodeRow(request) }),
    find: async (requestId) => {
      const rows = await select.execute({ requestId }).catch((error: unknown) => {
        throw unavailable(error, 'Looking a request up')
      })
      return rows[0] && parseRow(rows[0])
    },
    close: () => {
      closing ??= commits.close().then(close)
      return closing
    },
  }
}

type Entry = Readonly<{ requestId: string; row: string }>

/** One statement for any number of rows, so that the server parses and plans it once. */
function prepareInsert(db: Database['db']) {
  const columns = Object.values(getTableColumns(requestTable)).map(({ name }) =>
    sql.identifier(name),
  )
  const rows = sql`json_populate_recordset(null::${requestTable}, ${sql.placeholder('rows')}::json)`
  return db
    .insert(requestTable)
    .select(sql`select ${sql.join(columns, sql`, `)} from ${rows}`)
    .onConflictDoNothing()
    .returning({ requestId: requestTable.requestId })
    .prepare('put_requests')
}

/** What the driver says: Drizzle's own message holds the whole statement with its values. */
function reasonOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  // A host of several addresses fails with an error for each, under an empty message.
  const each: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return each.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
}

/**
 * Whether the database answered that it does not take these values, rather than failed: classes 22
 * (data exception), 23 (integrity) and 54 (a limit is exceeded).
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isRefusal(error: unknown): boolean {
  const { code } = (error instanceof DrizzleQueryError ? (error.cause ?? {}) : {}) as {
    code?: string
  }
  return /^(22|23|54)/.test(code ?? '')
}
