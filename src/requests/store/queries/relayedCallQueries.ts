import { and, count, eq, gte, lte, sql, sum } from 'drizzle-orm'
import { z } from 'zod'
import { toUsd } from '#src/core/units/usd.ts'
import {
  type RelayedCall,
  type RelayedCallStore,
  relayedCallStatuses,
} from '#src/requests/relayedCall.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { failReasons } from '#src/requests/state/requestState.ts'
import { address, chainId, hash, hex, presentIn } from '#src/requests/state/stateJson.ts'
import type { Database, Statement } from '#src/requests/store/connection/database.ts'
import { authorization } from '#src/requests/store/rows/requestRow.ts'
import { relayedCallTable } from '#src/requests/store/tables/relayedTable.ts'
import { toStatement } from './statement.ts'

const { requestId, relayer, apiKey, dueAt, createdAt, chargedUsd, status } = relayedCallTable

/** Without parameters, because Postgres could not use the partial index with them. */
const isOpen = sql`${status} in ('queued', 'sent')`

/** @throws what the database throws. */
export const createRelayedCallQueries = ({ db }: Database): RelayedCallStore => ({
  relayedCallsOf: async (id) => {
    const rows = await db
      .select()
      .from(relayedCallTable)
      .where(eq(requestId, id))
      .orderBy(createdAt, relayedCallTable.callId)
    return rows.map(parseRelayedCall)
  },
  dueRelayedCalls: async (due) => {
    const rows = await db
      .select()
      .from(relayedCallTable)
      .where(
        and(
          eq(relayedCallTable.chainId, due.chainId),
          eq(relayer, due.relayer),
          lte(dueAt, due.now),
          isOpen,
        ),
      )
      .orderBy(dueAt, createdAt)
      .limit(due.limit)
    return rows.map(parseRelayedCall)
  },
  gasChargedUsd: async (name, since) => {
    const [row] = await db
      .select({ total: sum(chargedUsd) })
      .from(relayedCallTable)
      .where(and(eq(apiKey, name), gte(createdAt, since)))
    return toUsd(BigInt(row?.total ?? 0))
  },
  countOpenRelayedCalls: async (name, { limit }) => {
    const open = db
      .select({ one: sql`1` })
      .from(relayedCallTable)
      .where(and(eq(apiKey, name), isOpen))
      .limit(limit)
      .as('open')
    const [row] = await db.select({ total: count() }).from(open)
    return row?.total ?? 0
  },
})

/**
 * Fails the save if an API key would exceed its budget. Runs after the calls are written. The lock makes concurrent
 * saves count each other's rows.
 */
export const checkGasBudgets = (budgets: NonNullable<Batch['gasBudgets']>): Statement[] =>
  budgets.flatMap(({ apiKey: name, since, maxUsd }) => {
    const total = sql`select coalesce(sum(${chargedUsd}), 0) from ${relayedCallTable}
      where ${apiKey} = ${name} and ${createdAt} >= ${since}::bigint`
    return [
      toStatement(sql`select pg_advisory_xact_lock(hashtextextended('gas:' || ${name}::text, 0))`),
      toStatement(sql`select 1 where (${total}) <= ${`${maxUsd}`}::numeric`, 1),
    ]
  })

type Row = typeof relayedCallTable.$inferSelect

/** The row with the next version. */
export const toRelayedCallRow = (call: RelayedCall): Row => ({
  ...call,
  failReason: call.failReason ?? null,
  reason: call.reason ?? null,
  txHash: call.txHash ?? null,
  version: call.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
const parseRelayedCall = (row: Row): RelayedCall => relayedCall.parse(presentIn(row))

const relayedCall: z.ZodType<RelayedCall> = z.object({
  callId: z.string(),
  requestId: hash,
  chainId,
  relayer: address,
  apiKey: z.string(),
  // One driver returns it parsed, the other as text.
  isQuoted: z.union([z.boolean(), z.enum(['t', 'f']).transform((text) => text === 't')]),
  call: z.object({
    to: address,
    data: hex,
    authorizationList: z.array(authorization).exactOptional(),
  }),
  gas: z.bigint(),
  maxCost: z.bigint(),
  chargedUsd: z.bigint().transform(toUsd),
  status: z.enum(relayedCallStatuses),
  failReason: z.enum(failReasons).exactOptional(),
  reason: z.string().exactOptional(),
  txHash: hash.exactOptional(),
  dueAt: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  version: z.int().min(1),
})
