import { bigint, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { integerColumn } from './columns.ts'

/** Pending webhook calls, one for each change. */
export const webhookDeliveryTable = pgTable(
  'webhook_deliveries',
  {
    deliveryId: bigint('delivery_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    requestId: text('request_id').notNull(),
    seq: integer('seq').notNull(),
    apiKey: text('api_key').notNull(),
    failures: integer('failures').notNull().default(0),
    /** Unix time in milliseconds. While a call is claimed, the end of the claim. */
    dueAt: integerColumn('due_at').notNull(),
  },
  (table) => [
    unique('webhook_deliveries_change').on(table.requestId, table.seq),
    index('webhook_deliveries_by_due_time').on(table.apiKey, table.dueAt),
  ],
)
