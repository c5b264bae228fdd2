import { and, count, desc, eq, gt, gte, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Payer, RequestStore } from '#src/requests/requestStore.ts'
import type { RequestChange, StoredRequest } from '#src/requests/state/requestState.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { parseState } from '#src/requests/store/rows/stateRow.ts'
import {
  depositDeadline,
  isFillable,
  requestChangeTable,
  requestTable,
} from '#src/requests/store/tables/requestTable.ts'
import { arrayOf, first, given, isOneOf } from './statement.ts'

type Reads = Pick<
  RequestStore,
  | 'find'
  | 'findAll'
  | 'findByOrders'
  | 'firstQuotedAt'
  | 'changesAfter'
  | 'seqsOf'
  | 'countOpenQuotes'
  | 'pendingSwaps'
  | 'awaitedPayers'
  | 'allAwaitedPayers'
  | 'waitingSwaps'
  | 'fillable'
  | 'overdue'
>

/** @throws what the database throws. */
export function createRequestReads({ db }: Pick<Database, 'db'>): Reads {
  const { requestId, seq, status, execution, originChainId, destinationChainId } = requestTable
  const select = db
    .select()
    .from(requestTable)
    .where(eq(requestId, given('requestId')))
    .prepare('find_request')

  const pendingSwaps = db
    .select()
    .from(requestTable)
    .where(and(eq(originChainId, given('chainId')), isStatus('pending'), eq(execution, 'user')))
    .prepare('pending_swaps')
  const awaitedSwaps = db
    .select({ user: requestTable.user, currency: requestTable.originCurrency })
    .from(requestTable)
    .where(isSwapAwaited(given('chainId'), given('now')))
    .limit(given('limit'))
    .prepare('awaited_swaps')
  const fillable = db
    .select()
    .from(requestTable)
    .where(
      and(
        eq(destinationChainId, given('chainId')),
        eq(requestTable.incomplete, given('isIncomplete')),
        isFillable,
        gt(requestId, given('after')),
      ),
    )
    .orderBy(requestId)
    .limit(given('limit'))
    .prepare('fillable_requests')
  const overdue = db
    .select()
    .from(requestTable)
    .where(
      and(
        isStatus('depositing'),
        sql`${depositDeadline} < ${given('now')}`,
        isOpenOn(given('chainId')),
      ),
    )
    .prepare('overdue_requests')

  async function findWhere(condition: SQL | undefined): Promise<StoredRequest[]> {
    return (await db.select().from(requestTable).where(condition)).map(parseRequest)
  }

  return {
    find: async (id) => {
      const [row] = await select.execute({ requestId: id })
      return row && parseRequest(row)
    },
    findAll: (ids) => findWhere(isOneOf(requestId, ids)),
    findByOrders: (ids) => findWhere(isOneOf(requestTable.orderId, ids)),
    firstQuotedAt: async (chainId) => {
      const { createdAt, inputs } = requestTable
      const isInput = sql`exists (
        select from json_array_elements(${inputs}) as input where (input ->> 'chainId')::bigint = ${chainId}
      )`
      // Literals: each of the two has an index by age.
      const oldest = [sql`${status} = 'waiting'`, sql`${status} <> 'waiting'`].map((isOfIndex) =>
        db
          .select({ createdAt })
          .from(requestTable)
          .where(and(isOfIndex, or(eq(originChainId, chainId), isInput)))
          .orderBy(createdAt)
          .limit(1),
      )
      const times = (await Promise.all(oldest)).flat().map((row) => row.createdAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    changesAfter: async (id, after) => {
      const { requestId: of, seq: at } = requestChangeTable
      const rows = await db
        .select()
        .from(requestChangeTable)
        .where(and(eq(of, id), gt(at, after)))
        .orderBy(at)
      return rows.map(
        (row): RequestChange => ({
          requestId: row.requestId as RequestChange['requestId'],
          state: parseState(row.state),
        }),
      )
    },
    seqsOf: async (ids) => {
      const rows = await db
        .select({ requestId, seq })
        .from(requestTable)
        .where(isOneOf(requestId, ids))
      return new Map(rows.map((row) => [row.requestId, row.seq]))
    },
    countOpenQuotes: async (quota, { now, limit }) => {
      const open = db
        .select({ one: sql`1`.as('one') })
        .from(requestTable)
        .where(
          and(eq(requestTable.quota, quota), isStatus('waiting'), gte(requestTable.deadline, now)),
        )
        .limit(limit)
        .as('open')
      const [row] = await db.select({ open: count() }).from(open)
      return row?.open ?? 0
    },
    pendingSwaps: async (chainId) => (await pendingSwaps.execute({ chainId })).map(parseRequest),
    awaitedPayers: async (chainId, payers, now) => {
      if (payers.length === 0) return []
      const [user, currency] = [sql`payer.account`, sql`payer.currency`]
      const rows = await db
        .select({
          user: user.mapWith(String) as SQL<string>,
          currency: currency.mapWith(String) as SQL<string>,
        })
        .from(payersOf(payers))
        .where(
          sql`exists (select from ${requestTable} where ${isAwaiting(chainId, { user, currency }, now)})`,
        )
      return rows.map((row) => ({ user: toAddress(row.user), currency: toAddress(row.currency) }))
    },
    allAwaitedPayers: async (chainId, { now, limit }) => {
      const rows = await awaitedSwaps.execute({ chainId, now, limit: limit + 1 })
      if (rows.length > limit) return undefined
      const payers = rows.map((row) => ({
        user: toAddress(row.user),
        currency: toAddress(row.currency),
      }))
      return [...new Map(payers.map((each) => [`${each.user}${each.currency}`, each])).values()]
    },
    waitingSwaps: async (chainId, of, { now, limit }) => {
      const rows = await db
        .select()
        .from(requestTable)
        .where(isAwaiting(chainId, of, now))
        .orderBy(desc(requestTable.deadline))
        .limit(limit)
      return rows.map(parseRequest)
    },
    fillable: async (chainId, isIncomplete, { after = first, limit }) =>
      (await fillable.execute({ chainId, isIncomplete, after, limit })).map(parseRequest),
    overdue: async (chainId, now) => (await overdue.execute({ chainId, now })).map(parseRequest),
  }

  /** The payer's requests on the chain that await their own swap. A partial index contains exactly these. */
  function isAwaiting(
    chainId: ChainId,
    { user, currency }: Readonly<{ user: SQL | Address; currency: SQL | Address }>,
    now: number,
  ): SQL | undefined {
    return and(
      isSwapAwaited(chainId, now),
      eq(requestTable.user, user),
      eq(requestTable.originCurrency, currency),
    )
  }

  function isSwapAwaited(
    chainId: ChainId | Placeholder,
    now: number | Placeholder,
  ): SQL | undefined {
    return and(
      isStatus('waiting'),
      sql`${execution} = 'user'`,
      eq(originChainId, chainId),
      gte(requestTable.deadline, now),
    )
  }

  /** A literal: with a parameter Postgres could not use the partial indexes. */
  function isStatus(one: 'depositing' | 'pending' | 'waiting'): SQL {
    return sql`${status} = ${sql.raw(`'${one}'`)}`
  }
}

const payersOf = (payers: readonly Payer[]): SQL => {
  const [users, currencies] = [payers.map(({ user }) => user), payers.map((each) => each.currency)]
  return sql`unnest(${arrayOf(users)}::text[], ${arrayOf(currencies)}::text[]) as payer (account, currency)`
}

/** Whether an input of the request on the chain is open. */
const isOpenOn = (chainId: Placeholder): SQL => sql`exists (
  select from json_array_elements(${requestTable.inputs}) with ordinality as input (terms, place)
  where (input.terms ->> 'chainId')::bigint = ${chainId}
    and ${requestTable.state} -> 'fundings' -> (input.place::int - 1) ->> 'status' = 'open'
)`
