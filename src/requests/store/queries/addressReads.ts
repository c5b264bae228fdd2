import {
  and,
  count,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  notInArray,
  type Placeholder,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import { z } from 'zod'
import { toUsd } from '#src/core/units/usd.ts'
import {
  type AddressStore,
  type WatchedAddress,
  watchedAfterSeconds,
} from '#src/requests/addressStore.ts'
import { requestStatuses } from '#src/requests/state/requestState.ts'
import { account, hash } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { input } from '#src/requests/store/rows/requestRow.ts'
import {
  endOrDeadline,
  quotaInOrder,
  requestTable,
} from '#src/requests/store/tables/requestTable.ts'
import { bare, first, given, isOneOf, toStatement } from './statement.ts'

const { requestId, orderId, depositAddress, depositor, status } = requestTable
const { originChainId, inputs, deadline, quota, open, parentId, subsidizedUsd } = requestTable
const { createdAt, seq, evictedAt } = requestTable

const columns = {
  requestId,
  orderId,
  address: depositAddress,
  depositor,
  status,
  inputs,
  deadline,
  open,
}

/** Excludes requests of payments to an open address, which have that address too. */
const hasAddress = and(isNotNull(depositAddress), isNull(parentId))
/** The address was not given up for others. */
const isKept = and(hasAddress, isNull(evictedAt))
/** A literal: with a parameter Postgres could not use the partial index. */
const isUnpaid = and(isKept, sql`${status} = 'waiting'`)
const isKey = sql`coalesce(${quota} like 'key:%', false)`
const isOf = (of: 'keys' | 'networks'): SQL => (of === 'keys' ? isKey : sql`not ${isKey}`)

/** Reads of the requests with a deposit address. @throws what the database throws. */
export function createAddressReads({ db, atomically }: Database): AddressStore {
  async function countUpTo(limit: number, condition: SQL | undefined): Promise<number> {
    const some = db
      .select({ one: sql`1`.as('one') })
      .from(requestTable)
      .where(condition)
      .limit(limit)
      .as('some')
    const [row] = await db.select({ found: count() }).from(some)
    return row?.found ?? 0
  }

  const watched = db
    .select(columns)
    .from(requestTable)
    .where(
      and(
        isKept,
        eq(originChainId, given('chainId')),
        isWatched(given('since')),
        gt(requestId, given('after')),
      ),
    )
    .orderBy(requestId)
    .limit(given('limit'))
    .prepare('watched_addresses')

  return {
    watchedAddresses: async (chainId, now, { after = first, limit }) =>
      (await watched.execute({ chainId, since: sinceOf(now), after, limit })).map(parseAddress),
    findAddresses: async (ids) => {
      const rows = await db
        .select(columns)
        .from(requestTable)
        .where(and(hasAddress, isOneOf(requestId, ids)))
      return rows.map(parseAddress)
    },
    subsidizedUsd: async (parent) => {
      const [row] = await db
        .select({ total: sum(subsidizedUsd) })
        .from(requestTable)
        .where(and(eq(parentId, parent), notInArray(status, ['refund', 'failure'])))
      return toUsd(BigInt(row?.total ?? 0))
    },
    countLiveAddresses: (of, { now, limit }) =>
      countUpTo(limit, and(isUnpaid, isQuotaWithin(of), gte(deadline, now))),
    countWatchedAddresses: (of, { now, limit }) =>
      countUpTo(limit, and(isKept, isOf(of), isWatched(sinceOf(now)))),
    evictUnpaidAddresses: async (of, { now, before, lastBefore, limit }) => {
      const holder = sql`split_part(coalesce(${quota}, ''), '/', 1)`
      // The `n`-th oldest of `held` addresses goes once all holders have more than `held - n`.
      const evicted = sql`update ${requestTable} set ${bare(evictedAt)} = ${now}::bigint
        where ${isUnpaid} and ${seq} = 0 and ${requestId} = any(array(
          select request_id from (
            select ${requestId} as request_id, ${createdAt} as created_at,
              count(*) over (partition by ${holder})
                - row_number() over (partition by ${holder} order by ${createdAt}) as others
            from ${requestTable} where ${isUnpaid} and ${seq} = 0 and ${isOf(of)}
          ) unpaid where created_at < case when others > 0 then ${before}::bigint else ${lastBefore}::bigint end
            order by others desc, created_at limit ${limit}::int
        )) returning ${requestId}`
      const outcome = await atomically([toStatement(evicted)])
      return outcome === 'conflict' ? 0 : (outcome[0]?.length ?? 0)
    },
  }
}

/** Whether the quota is that of the key, or that of the network or of a network within it. */
function isQuotaWithin(of: string): SQL | undefined {
  const sorted = quotaInOrder(quota)
  if (of.startsWith('key:')) return sql`${sorted} = ${of}`
  // The character after the separator ends the range.
  return sql`${sorted} >= ${of} and ${sorted} < ${`${of}0`}`
}

/** Whether the end of the request, else its deadline, is after `since` (Unix seconds). */
const isWatched = (since: number | Placeholder): SQL => sql`${endOrDeadline} > ${since}`

const sinceOf = (now: number): number => now - watchedAfterSeconds

const row = z.object({
  requestId: hash,
  orderId: hash,
  address: account,
  depositor: account,
  status: z.enum(requestStatuses),
  inputs: z.tuple([input]),
  deadline: z.int(),
  open: z.unknown(),
})

function parseAddress(read: unknown): WatchedAddress {
  const {
    inputs: [expected],
    open: terms,
    ...rest
  } = row.parse(read)
  const { depositCurrency: currency, leastDeposit } = expected
  const isOpen = terms !== null
  return {
    ...rest,
    isOpen,
    chainId: expected.chainId,
    currency,
    leastDeposit,
  }
}
