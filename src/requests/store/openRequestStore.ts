import { getTableColumns, sql } from 'drizzle-orm'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { WakeupSink } from '#src/requests/events/bus.ts'
import type { WorkReads } from '#src/requests/payoutStore.ts'
import type { RequestLists } from '#src/requests/requestList.ts'
import type {
  BatchStore,
  ChangeReads,
  QuoteStore,
  RequestReads,
  RequestStore,
} from '#src/requests/requestStore.ts'
import type { RequestChange } from '#src/requests/state/requestState.ts'
import type {
  HintStore,
  SwapReads,
  TrackingReads,
  TrackingStore,
} from '#src/requests/trackingStore.ts'
import type { Database } from './connection/database.ts'
import {
  createHealthMonitor,
  type FailureDeps,
  failingAsUnavailable,
  isRefusal,
  refusingSlow,
  StoreUnavailableError,
  unavailable,
} from './connection/databaseError.ts'
import { openPglite } from './connection/openPglite.ts'
import { openPostgres } from './connection/openPostgres.ts'
import { createGroupCommit } from './groupCommit.ts'
import { createAddressReads } from './queries/addressReads.ts'
import { createBookQueries, createBookReads } from './queries/bookQueries.ts'
import { createUpstreamQueue, createWebhookQueue } from './queries/claimedWork.ts'
import { forgetChain } from './queries/forgetChain.ts'
import { boughtSince, countRequests, listRequests } from './queries/listRequests.ts'
import {
  createExposureReads,
  createNonces,
  createStoppedAssets,
  createWorkReads,
} from './queries/payoutQueries.ts'
import { createPermitQueries } from './queries/permitQueries.ts'
import { createRelayedCallQueries } from './queries/relayedCallQueries.ts'
import {
  countOpenQuotes,
  createPaymentReads,
  createRequestReads,
  deleteUnpaid,
} from './queries/requestReads.ts'
import { saveBatch } from './queries/saveBatch.ts'
import { createHintQueue, createSwapReads, createTrackingReads } from './queries/trackingQueries.ts'
import { encodeRequest } from './rows/requestRow.ts'
import { createSearchQueries } from './searches/searchQueries.ts'
import { requestTable } from './tables/requestTable.ts'

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

export type StoreDeps = Readonly<{ log: Log; bus: WakeupSink }>

/** `webhookKeys`: names of the API keys that have a webhook. */
export type StoreOptions = Readonly<{ webhookKeys?: ReadonlySet<string> }>

/** In characters. A row is about 4,000 characters of JSON, and far more with large calldata in `txs`. */
const limits = { batchEntries: 128, batchSize: 4_000_000, waitingSize: 64_000_000 }

/** A store in a database with our tables. Closing it closes the database. */
export function createRequestStore(
  { log, bus }: StoreDeps,
  database: Database & Required<StoreOptions>,
): RequestStore {
  const monitor = createHealthMonitor({ log, check: database.check })
  const failure = { log, suspect: monitor.suspect }
  const commits = createGroupCommit<Entry>(
    {
      write: createInsert(failure, database.db),
      sizeOf: ({ row }) => row.length,
      refuse: () => new StoreUnavailableError(),
    },
    limits,
  )

  /** Fails at once while the database is down. */
  function refuseWhileFailing(): void {
    if (!monitor.current().ok) throw new StoreUnavailableError()
  }

  async function save(write: () => Promise<readonly RequestChange[] | 'conflict'>) {
    const changes = await write()
    if (changes === 'conflict') return changes
    bus.publish(changes.map((change) => ({ kind: 'change', change })))
    return 'saved'
  }

  const hints = createHintQueue(database)
  const lists = createLists({ ...database, db: database.callers })
  const byKey = { ...database, db: database.callersByKey }
  const callers = {
    ...createRequestReads(byKey),
    ...lists,
    ...createPaymentReads(byKey),
    ...createBookReads({ ...database, db: database.callers }),
  }
  const workers = createWorkersQueries(database)
  const { firstQuotedAt, fillable, overdue } = workers
  const awaited: RequestReads & ChangeReads & RequestLists & SwapReads & Calls = {
    ...createRequestReads(database),
    ...createSwapReads(database),
    ...lists,
    firstQuotedAt,
    fillable,
    overdue,
    countOpenQuotes: (...args) => countOpenQuotes(database, ...args),
    addHint: async (hint) => {
      refuseWhileFailing()
      await hints.addHint(hint)
      bus.publish([{ kind: 'hint', chainId: hint.chainId }])
    },
  }
  const put: QuoteStore['put'] = async (request) => {
    refuseWhileFailing()
    await commits.put({ requestId: request.requestId, row: encodeRequest(request) })
  }
  const writes: Writes = {
    save: (batch) => save(() => saveBatch(database, batch)),
    forgetChain: async (chainId, fence) => {
      const forget = () => forgetChain(database, { chainId, now: Date.now(), fence })
      // Ends: the other writers have a limited number of saves left.
      while ((await save(forget)) === 'conflict');
    },
    deleteUnpaid: (...args) => deleteUnpaid(database, ...args),
  }
  let closing: Promise<void> | undefined

  return {
    ...failingAsUnavailable(failure, { ...hints, ...workers, ...writes }),
    ...refusingSlow(monitor, { ...failingAsUnavailable(failure, awaited), put }),
    callers: refusingSlow(monitor, failingAsUnavailable(failure, callers)),
    health: monitor.current,
    close: () => {
      monitor.close()
      closing ??= commits.close().then(database.close)
      return closing
    },
  }
}

/** Calls that do not wait for a database that hangs: of callers of the APIs, and reads of requests by workers. */
type Calls = Readonly<{
  countOpenQuotes: QuoteStore['countOpenQuotes']
  addHint: HintStore['addHint']
  firstQuotedAt: TrackingReads['firstQuotedAt']
  fillable: WorkReads['fillable']
  overdue: TrackingReads['overdue']
}>

type Writes = BatchStore &
  Readonly<{
    forgetChain: TrackingStore['forgetChain']
    deleteUnpaid: QuoteStore['deleteUnpaid']
  }>

const createLists = (database: Database): RequestLists => ({
  list: (filter) => listRequests(database, filter),
  count: (filter, limit) => countRequests(database, filter, limit),
  boughtSince: (...args) => boughtSince(database, ...args),
})

/** The queries of trackers, solvers and the other workers. */
const createWorkersQueries = (database: Database) => ({
  ...createPaymentReads(database),
  ...createTrackingReads(database),
  ...createWorkReads(database),
  ...createExposureReads(database),
  ...createNonces(database),
  ...createAddressReads(database),
  ...createPermitQueries(database),
  ...createRelayedCallQueries(database),
  ...createWebhookQueue(database),
  ...createUpstreamQueue(database),
  ...createSearchQueries(database),
  ...createStoppedAssets(database),
  ...createBookQueries(database),
})

/** A request id with the request's row as JSON. */
type Entry = Readonly<{ requestId: string; row: string }>

/**
 * Inserts a batch in one transaction. Returns one outcome per entry, in order: an error if the entry was not stored.
 */
type Insert = (batch: readonly Entry[]) => Promise<readonly (Error | undefined)[]>

/** The insert throws StoreUnavailableError if its outcome is unknown. */
function createInsert(deps: FailureDeps, db: Database['db']): Insert {
  const statement = prepareInsert(db)

  /** Inserts one by one, so that an entry that the database refuses does not fail the others. */
  async function insertEach(batch: readonly Entry[]): Promise<(Error | undefined)[]> {
    const outcomes: (Error | undefined)[] = []
    for (const entry of batch)
      outcomes.push(...(await insert([entry]).catch((error: Error) => [error])))
    return outcomes
  }

  const insert: Insert = async (batch) => {
    try {
      const rows = `[${batch.map(({ row }) => row).join(',')}]`
      const stored = new Set((await statement.execute({ rows })).map(({ requestId }) => requestId))
      // `delete` is true once per id: the second of two equal ids in a batch is refused.
      return batch.map(({ requestId }) =>
        stored.delete(requestId) ? undefined : new Error(`Request ${requestId} is already stored`),
      )
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) return insertEach(batch)
      throw unavailable(deps, error, `store ${batch.length} requests`)
    }
  }
  return insert
}

/** One statement for any number of rows. The server parses and plans it once. */
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
    .prepare('insert_requests')
}
