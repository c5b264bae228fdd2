import { and, eq, or, sql } from 'drizzle-orm'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Fence } from '#src/requests/lease.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import type { Database, Statement } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { forgetSearchesOf } from '#src/requests/store/searches/searchQueries.ts'
import {
  chainCursorTable,
  hintTable,
  solverAccountTable,
  sweepHintTable,
} from '#src/requests/store/tables/chainTable.ts'
import {
  bookDayTable,
  depositTable,
  solverTransactionTable,
} from '#src/requests/store/tables/paymentTable.ts'
import { permitTable, relayedCallTable } from '#src/requests/store/tables/relayedTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { saveBatch } from './saveBatch.ts'
import { bare, isOneOf, toStatement } from './statement.ts'

type Deps = Database & Readonly<{ webhookKeys: ReadonlySet<string> }>

/**
 * Deletes the rows of a chain and fails its open requests. Returns their changes. `conflict`: another process has saved
 * one of the requests, and nothing is changed.
 */
export async function forgetChain(
  deps: Deps,
  { chainId, now, fence }: Readonly<{ chainId: ChainId; now: number; fence?: Fence | undefined }>,
): Promise<readonly RequestChange[] | 'conflict'> {
  const requests = await openRequests(deps, chainId)
  const failed = requests.map((request) => fail(request, now))
  return saveBatch(deps, { requests: failed, ...(fence && { fence }) }, forget(chainId, failed))
}

async function openRequests({ db }: Deps, chainId: ChainId): Promise<StoredRequest[]> {
  const { status, execution, originChainId, destinationChainId } = requestTable
  const rows = await db
    .select()
    .from(requestTable)
    .where(
      and(
        sql`${status} in ('depositing', 'pending', 'submitted')`,
        // The other service reports how its requests end.
        sql`${execution} <> 'upstream'`,
        or(eq(originChainId, chainId), eq(destinationChainId, chainId), hasInputOn(chainId)),
      ),
    )
  return rows.map(parseRequest)
}

/** Checks only multi-input requests. For others, the origin chain is the chain of their only input. */
const hasInputOn = (chainId: ChainId) => sql`${requestTable.funding} is not null and exists (
  select from json_array_elements(${requestTable.inputs}) as input (terms)
  where (input.terms ->> 'chainId')::bigint = ${chainId}
)`

const fail = (request: StoredRequest, now: number): StoredRequest => ({
  ...request,
  state: {
    ...request.state,
    status: 'failure',
    failReason: 'UNKNOWN',
    seq: request.state.seq + 1,
    updatedAt: now,
  },
})

function forget(chainId: ChainId, failed: readonly StoredRequest[]): Statement[] {
  const { status, reason, version, requestId } = depositTable
  const ids = failed.map((request) => request.requestId)
  return [
    ...[
      depositTable,
      solverTransactionTable,
      solverAccountTable,
      chainCursorTable,
      hintTable,
      sweepHintTable,
      permitTable,
      relayedCallTable,
      bookDayTable,
    ].map((table) => toStatement(sql`delete from ${table} where ${table.chainId} = ${chainId}`)),
    ...forgetSearchesOf(chainId).map((query) => toStatement(query)),
    // Deposits for these requests on other chains still exist and are refunded.
    toStatement(sql`update ${depositTable}
      set ${bare(status)} = 'refundable', ${bare(reason)} = 'UNKNOWN', ${bare(version)} = ${version} + 1
      where ${status} = 'credited' and ${isOneOf(requestId, ids)}`),
  ]
}
