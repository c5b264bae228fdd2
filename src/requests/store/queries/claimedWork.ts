import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { UpstreamStore, WebhookDelivery, WebhookStore } from '#src/requests/claimedWork.ts'
import { parseState } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import {
  requestChangeTable,
  requestTable,
  webhookDeliveryTable,
} from '#src/requests/store/tables/requestTable.ts'
import { runFenced } from './leases.ts'
import { bare, isOneOf } from './statement.ts'

const { deliveryId, requestId, seq, apiKey, failures, dueAt } = webhookDeliveryTable

/** @throws what the database throws. A claim whose answer is lost expires. */
export function createWebhookQueue({ db, atomically }: Database): WebhookStore {
  return {
    claimWebhooks: async ({ apiKey: owner, now, leaseMs, limit }, fence) => {
      const claim = db
        .update(webhookDeliveryTable)
        .set({ dueAt: now + leaseMs })
        .where(sql`${deliveryId} = any(array(${due(owner, now, limit)}))`)
        .returning({ deliveryId, requestId })
      const claimed = await runFenced(atomically, claim.getSQL(), fence)
      if (claimed.length === 0) return []
      const ids = claimed.map(([, id]) => id ?? '')
      // At most one call per request is claimed, but the join also finds the request's other calls.
      const isChange = and(
        eq(requestChangeTable.requestId, requestId),
        eq(requestChangeTable.seq, seq),
      )
      const rows = await db
        .select()
        .from(webhookDeliveryTable)
        .innerJoin(requestTable, eq(requestTable.requestId, requestId))
        .innerJoin(requestChangeTable, isChange)
        .where(isOneOf(requestId, ids))
      const isClaimed = new Set(claimed.map(([id]) => Number(id)))
      return rows.filter((row) => isClaimed.has(row.webhook_deliveries.deliveryId)).map(toDelivery)
    },
    recordWebhookOutcome: async ({ change, failures: before }, outcome, fence) => {
      const isIt = and(eq(requestId, change.requestId), eq(seq, change.state.seq))
      const record =
        outcome === 'done'
          ? db.delete(webhookDeliveryTable).where(isIt)
          : db
              .update(webhookDeliveryTable)
              .set({ dueAt: outcome.dueAt, failures: before + 1 })
              // Only if no other process has claimed the call and failed meanwhile.
              .where(and(isIt, eq(failures, before)))
      await runFenced(atomically, record.getSQL(), fence)
    },
  }
}

/** Selects only the oldest call of each request. Later calls wait until it is done. */
const due = (owner: string, now: number, limit: number) => sql`
  select ${deliveryId} from ${webhookDeliveryTable}
  where ${apiKey} = ${owner} and ${dueAt} <= ${now} and not exists (
    select from ${webhookDeliveryTable} as earlier
    where earlier.${bare(requestId)} = ${requestId} and earlier.${bare(seq)} < ${seq}
  )
  order by ${dueAt}, ${deliveryId} limit ${limit} for update skip locked`

function toDelivery(row: {
  webhook_deliveries: typeof webhookDeliveryTable.$inferSelect
  requests: typeof requestTable.$inferSelect
  request_changes: typeof requestChangeTable.$inferSelect
}): WebhookDelivery {
  const request = parseRequest(row.requests)
  return {
    change: { requestId: request.requestId, state: parseState(row.request_changes.state) },
    request,
    apiKey: row.webhook_deliveries.apiKey,
    failures: row.webhook_deliveries.failures,
  }
}

/** @throws what the database throws. A claim whose answer is lost expires. */
export function createUpstreamQueue({ db }: Database): UpstreamStore {
  const { requestId, upstreamDueAt } = requestTable
  return {
    claimUpstream: async ({ now, until, limit }) => {
      const due = sql`select ${requestId} from ${requestTable}
        where ${upstreamDueAt} is not null and ${upstreamDueAt} <= ${now}
        order by ${upstreamDueAt} limit ${limit}`
      const rows = await db
        .update(requestTable)
        .set({ upstreamDueAt: until })
        .where(sql`${requestId} = any(array(${due}))`)
        .returning()
      return rows.map(parseRequest)
    },
    scheduleUpstream: async (id, { until, dueAt }) => {
      // Keeps a due time that `hastenUpstream` has set since the claim.
      const isClaimed = dueAt === undefined ? undefined : eq(upstreamDueAt, until)
      await db
        .update(requestTable)
        .set({ upstreamDueAt: dueAt ?? null })
        .where(and(eq(requestId, id), isClaimed))
    },
    hastenUpstream: async (id, now) => {
      await db
        .update(requestTable)
        .set({ upstreamDueAt: now })
        .where(and(eq(requestId, id), isNotNull(upstreamDueAt)))
    },
  }
}
