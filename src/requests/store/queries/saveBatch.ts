import { type Column, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Batch } from '#src/requests/requestStore.ts'
import {
  isIncomplete,
  type RequestChange,
  type StoredRequest,
} from '#src/requests/state/requestState.ts'
import { encodeState } from '#src/requests/state/stateJson.ts'
import { awaitsLiquidity } from '#src/requests/status.ts'
import type { Database, Rows, Statement } from '#src/requests/store/connection/database.ts'
import { encodeRow } from '#src/requests/store/rows/encodeRow.ts'
import { toDepositRow, toTransactionRow } from '#src/requests/store/rows/paymentRow.ts'
import { encodeRequest } from '#src/requests/store/rows/requestRow.ts'
import { chainCursorTable } from '#src/requests/store/tables/chainTable.ts'
import { depositTable, solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { permitTable, relayedCallTable } from '#src/requests/store/tables/relayedTable.ts'
import {
  requestChangeTable,
  requestTable,
  webhookDeliveryTable,
} from '#src/requests/store/tables/requestTable.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import { addToBooks } from './bookQueries.ts'
import { checkFence, throwIfLost } from './leases.ts'
import { checkExposures } from './payoutQueries.ts'
import { toPermitRow } from './permitQueries.ts'
import { checkGasBudgets, toRelayedCallRow } from './relayedCallQueries.ts'
import { bare, columnsOf, isOneOf, listOf, rowsOf, toStatement } from './statement.ts'

/**
 * Saves the batch and runs the statements `more` in one transaction. Returns the new changes, in order. The batch may
 * contain a request several times, once for each new state.
 */
export async function saveBatch(
  { atomically, webhookKeys }: Database & Readonly<{ webhookKeys: ReadonlySet<string> }>,
  {
    created = [],
    requests = [],
    deposits = [],
    removedDeposits = [],
    transactions: changed = [],
    booked = [],
    permits = [],
    relayedCalls = [],
    gasBudgets = [],
    cursor,
    exposureLimits = [],
    fence,
  }: Batch,
  more: readonly Statement[] = [],
): Promise<readonly RequestChange[] | 'conflict'> {
  const transactions = [...changed, ...booked]
  const changes = requests.filter(({ state }) => state.seq > 0)
  const creations = insertNew(requestTable, requestTable.requestId, created.map(encodeRequest))
  const statements = [
    // First, because webhook calls are found by the rows of their requests.
    ...creations,
    // Right after them: its rows are read as the result below.
    ...(changes.length > 0 ? [insertChanges(changes, webhookKeys)] : []),
    ...(requests.length > 0 ? [updateRequests(requests)] : []),
    ...removeDeposits(removedDeposits),
    ...insertNew(depositTable, depositTable.depositId, deposits.filter(isNew).map(depositJson)),
    ...updateAll(depositTable, depositTable.depositId, deposits.filter(isKnown).map(depositJson)),
    ...insertNew(
      solverTransactionTable,
      solverTransactionTable.transactionId,
      transactions.filter(isNew).map(transactionJson),
    ),
    ...updateAll(
      solverTransactionTable,
      solverTransactionTable.transactionId,
      transactions.filter(isKnown).map(transactionJson),
    ),
    ...insertNew(permitTable, permitTable.requestId, permits.filter(isNew).map(permitJson)),
    ...updateAll(permitTable, permitTable.requestId, permits.filter(isKnown).map(permitJson)),
    ...insertNew(
      relayedCallTable,
      relayedCallTable.callId,
      relayedCalls.filter(isNew).map(callJson),
    ),
    ...updateAll(
      relayedCallTable,
      relayedCallTable.callId,
      relayedCalls.filter(isKnown).map(callJson),
    ),
    ...(booked.length === 0 ? [] : [addToBooks(booked)]),
    ...(cursor === undefined ? [] : [putCursor(cursor)]),
    ...checkExposures(exposureLimits),
    ...checkGasBudgets(gasBudgets),
    ...more,
    ...(fence === undefined ? [] : [checkFence(fence)]),
  ]
  const outcome = statements.length === 0 ? [] : await atomically(statements)
  if (outcome === 'conflict') {
    if (fence !== undefined) await throwIfLost(atomically, fence)
    return outcome
  }
  return changes.length === 0 ? [] : changesIn(changes, outcome[creations.length] ?? [])
}

type Versioned = Readonly<{ version: number }>
const isNew = ({ version }: Versioned) => version === 0
const isKnown = ({ version }: Versioned) => version > 0
const depositJson = (deposit: Parameters<typeof toDepositRow>[0]) =>
  encodeRow(depositTable, toDepositRow(deposit))
const transactionJson = (transaction: Parameters<typeof toTransactionRow>[0]) =>
  encodeRow(solverTransactionTable, toTransactionRow(transaction))

const permitJson = (permit: Parameters<typeof toPermitRow>[0]) =>
  encodeRow(permitTable, toPermitRow(permit))

const callJson = (call: Parameters<typeof toRelayedCallRow>[0]) =>
  encodeRow(relayedCallTable, toRelayedCallRow(call))

function changesIn(changes: readonly StoredRequest[], rows: Rows): RequestChange[] {
  const stored = new Set(rows.map(([requestId, seq]) => `${requestId}:${seq}`))
  return changes
    .filter(({ requestId, state }) => stored.delete(`${requestId}:${state.seq}`))
    .map(({ requestId, state }) => ({ requestId, state }))
}

/** Returns the rows that were not stored before. Only these get a webhook call. */
function insertChanges(changes: readonly StoredRequest[], webhookKeys: ReadonlySet<string>) {
  const { requestId, seq } = requestChangeTable
  const rows = changes.map((change) =>
    encodeRow(requestChangeTable, {
      requestId: change.requestId,
      seq: change.state.seq,
      state: encodeState(change.state),
    }),
  )
  const columns = listOf(columnsOf(requestChangeTable))
  const { apiKey } = requestTable
  const deliveries = webhookDeliveryTable
  return toStatement(sql`
    with changed as (
      insert into ${requestChangeTable} (${columns})
      select ${columns} from ${rowsOf(requestChangeTable, rows)}
      on conflict do nothing returning ${bare(requestId)}, ${bare(seq)}
    ), called as (
      insert into ${deliveries}
        (${listOf([deliveries.requestId, deliveries.seq, deliveries.apiKey, deliveries.dueAt])})
      select changed.${bare(requestId)}, changed.${bare(seq)}, ${apiKey}, 0 from changed
      join ${requestTable} on ${requestTable.requestId} = changed.${bare(requestId)}
      where ${isOneOf(apiKey, [...webhookKeys])}
      order by changed.${bare(seq)}
    )
    select ${bare(requestId)}, ${bare(seq)} from changed`)
}

function updateRequests(requests: readonly StoredRequest[]): Statement {
  // The last state of each request is the current one.
  const latest = [...new Map(requests.map((request) => [request.requestId, request])).values()]
  const rows = latest.map((request) => {
    const { requestId, state, version } = request
    return encodeRow(requestTable, {
      requestId,
      status: state.status,
      seq: state.seq,
      state: encodeState(state),
      incomplete: isIncomplete(state) || awaitsLiquidity(request),
      version: version + 1,
    })
  })
  const saved = ['status', 'seq', 'state', 'incomplete', 'version']
  return update(requestTable, requestTable.requestId, columnsOf(requestTable, saved), rows)
}

function insertNew(table: PgTable, key: Column, rows: readonly string[]): Statement[] {
  if (rows.length === 0) return []
  const columns = listOf(columnsOf(table))
  const query = sql`insert into ${table} (${columns}) select ${columns} from ${rowsOf(table, rows)}
    on conflict do nothing returning ${bare(key)}`
  return [toStatement(query, rows.length)]
}

function updateAll(table: PgTable, key: Column, rows: readonly string[]): Statement[] {
  if (rows.length === 0) return []
  const columns = columnsOf(table).filter((column) => column !== key)
  return [update(table, key, columns, rows)]
}

/** Updates only rows whose stored version is the previous one. */
function update(table: PgTable, key: Column, columns: readonly Column[], rows: readonly string[]) {
  const set = columns.map((column) => sql`${bare(column)} = given.${bare(column)}`)
  const query = sql`update ${table} set ${sql.join(set, sql`, `)}
    from ${rowsOf(table, rows)} as given where ${isGiven(table, key)} returning ${key}`
  return toStatement(query, rows.length)
}

function removeDeposits(deposits: NonNullable<Batch['removedDeposits']>): Statement[] {
  if (deposits.length === 0) return []
  const rows = rowsOf(depositTable, deposits.map(depositJson))
  const { depositId } = depositTable
  const query = sql`delete from ${depositTable} using ${rows} as given
    where ${isGiven(depositTable, depositId)} returning ${depositId}`
  return [toStatement(query, deposits.length)]
}

const isGiven = (table: PgTable, key: Column): SQL => {
  const version = sql.identifier('version')
  return sql`${key} = given.${bare(key)} and ${table}.${version} = given.${version} - 1`
}

function putCursor({ chainId, genesis, block }: Cursor): Statement {
  const row = { chainId, genesis, blockNumber: block.number, blockHash: block.hash }
  const columns = columnsOf(chainCursorTable)
  const set = columns.map((column) => sql`${bare(column)} = excluded.${bare(column)}`)
  return toStatement(sql`
    insert into ${chainCursorTable} (${listOf(columns)})
    select ${listOf(columns)}
    from ${rowsOf(chainCursorTable, [encodeRow(chainCursorTable, row)])}
    on conflict (${bare(chainCursorTable.chainId)}) do update set ${sql.join(set, sql`, `)}`)
}
