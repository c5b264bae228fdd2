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
import type { RequestStore } from '#src/requests/requestStore.ts'
import { requestStatuses } from '#src/requests/status/requestStatus.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { input } from '#src/requests/store/rows/requestRow.ts'
import { address, hash } from '#src/requests/store/rows/valueSchemas.ts'
import { sweepHintTable } from '#src/requests/store/tables/chainTable.ts'
import { endOrDeadline, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { type WatchedAddress, watchedAfterSeconds } from '#src/requests/watchedAddress.ts'
import { toUsd } from '#src/units/usd.ts'
import { first, given, isOneOf } from './statement.ts'

type Reads = Pick<
  RequestStore,
  | 'watchedAddresses'
  | 'findAddresses'
  | 'countLiveAddresses'
  | 'countWatchedAddresses'
  | 'subsidizedUsd'
  | 'addSweepHint'
  | 'takeSweepHints'
>

const { requestId, orderId, depositAddress, depositor, status } = requestTable
const { originChainId, inputs, deadline, quota, open, parentId, subsidizedUsd } = requestTable

const columns = {
  ...{ requestId, orderId, address: depositAddress, depositor, status, inputs, deadline },
  open,
}

/** Excludes requests of payments to an open address, which have that address too. */
const hasAddress = and(isNotNull(depositAddress), isNull(parentId))

/** Reads of the requests with a deposit address. @throws what the database throws. */
export function createAddressReads({ db }: Pick<Database, 'db'>): Reads {
  async function countUpTo(limit: number, condition: SQL | undefined): Promise<number> {
    const some = db
      .select({ one: sql`1`.as('one') })
      .from(requestTable)
      .where(and(hasAddress, condition))
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
        hasAddress,
        eq(originChainId, given('chainId')),
        isWatched(given('since')),
        gt(requestId, given('after')),
      ),
    )
    .orderBy(requestId)
    .limit(given('limit'))
    .prepare('watched_addresses')
  const named = db
    .select({ id: sweepHintTable.requestId })
    .from(sweepHintTable)
    .where(eq(sweepHintTable.chainId, given('chainId')))
    .limit(given('limit'))
  const takeHints = db
    .delete(sweepHintTable)
    .where(
      and(
        eq(sweepHintTable.chainId, given('chainId')),
        sql`${sweepHintTable.requestId} = any(array(${named}))`,
      ),
    )
    .returning()
    .prepare('take_sweep_hints')

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
      // A literal: with a parameter Postgres could not use the partial index of open quotes.
      countUpTo(limit, and(eq(quota, of), sql`${status} = 'waiting'`, gte(deadline, now))),
    countWatchedAddresses: ({ now, limit }) => countUpTo(limit, isWatched(sinceOf(now))),
    addSweepHint: async (hint) => {
      await db.insert(sweepHintTable).values(hint).onConflictDoNothing()
    },
    takeSweepHints: async (chainId, limit) =>
      (await takeHints.execute({ chainId, limit })).map((row) => hash.parse(row.requestId)),
  }
}

/** Whether the end of the request, else its deadline, is after `since` (Unix seconds). */
const isWatched = (since: number | Placeholder): SQL => sql`${endOrDeadline} > ${since}`

const sinceOf = (now: number): number => now - watchedAfterSeconds

const row = z.object({
  requestId: hash,
  orderId: hash,
  address,
  depositor: address,
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
  return { ...rest, isOpen, chainId: expected.chainId, currency, leastDeposit }
}
