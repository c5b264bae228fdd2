import { sql } from 'drizzle-orm'
import { index, integer, numeric, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { executions, tradeTypes } from '#src/requests/quotedRequest.ts'
import { requestStatuses } from '#src/requests/status/requestStatus.ts'
import { amountColumn, integerColumn, jsonColumn } from './columns.ts'

export const executionColumn = pgEnum('execution', executions)

export const tradeTypeColumn = pgEnum('trade_type', tradeTypes)

export const requestStatusColumn = pgEnum('request_status', requestStatuses)

/** Hashes and addresses are text, spelled as everywhere: people look for them by hand. */
export const requestTable = pgTable(
  'requests',
  {
    requestId: text('request_id').primaryKey(),
    /** With `order`, `inputs` and `fill`: null where the user swaps alone. */
    orderId: text('order_id'),
    execution: executionColumn('execution').notNull(),
    /** Of the state, for look-ups. */
    status: requestStatusColumn('status').notNull().default('waiting'),
    seq: integer('seq').notNull().default(0),
    user: text('user').notNull(),
    recipient: text('recipient').notNull(),
    refundTo: text('refund_to').notNull(),
    originChainId: integerColumn('origin_chain_id').notNull(),
    destinationChainId: integerColumn('destination_chain_id').notNull(),
    originCurrency: text('origin_currency').notNull(),
    destinationCurrency: text('destination_currency').notNull(),
    tradeType: tradeTypeColumn('trade_type').notNull(),
    amountIn: amountColumn('amount_in').notNull(),
    amountOut: amountColumn('amount_out').notNull(),
    minimumAmountOut: amountColumn('minimum_amount_out').notNull(),
    order: jsonColumn('order'),
    inputs: jsonColumn('inputs'),
    /** Of multi-input requests alone. */
    gathering: jsonColumn('gathering'),
    fill: jsonColumn('fill'),
    steps: jsonColumn('steps').notNull(),
    referrer: text('referrer'),
    referrerAddress: text('referrer_address'),
    apiKey: text('api_key'),
    /** Millionths of a dollar. */
    subsidizedUsd: numeric('subsidized_usd', { mode: 'bigint' }).notNull(),
    /** Milliseconds since 1970. */
    createdAt: integerColumn('created_at').notNull(),
    /** Seconds since 1970. */
    deadline: integerColumn('deadline').notNull(),
    /** The whole of it; null until the first change. */
    state: jsonColumn('state'),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    index('requests_by_order').on(table.orderId),
    index('requests_by_user').on(table.user, table.createdAt),
    index('requests_by_age').on(table.createdAt),
    // What is put waits, so that none of these costs a quote anything.
    index('requests_by_status')
      .on(table.status, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_depositing')
      .on(sql`((${table.gathering} ->> 'until')::bigint)`)
      .where(sql`${table.status} = 'depositing'`),
    index('requests_open_by_origin')
      .on(table.originChainId)
      .where(sql`${table.status} in ('pending', 'submitted')`),
    index('requests_open_by_destination')
      .on(table.destinationChainId)
      .where(sql`${table.status} in ('pending', 'submitted')`),
  ],
)

/** Seconds since 1970, of what is gathered. */
export const gatheringUntil = sql`((${requestTable.gathering} ->> 'until')::bigint)`

/** Each state that a request has had after the first. */
export const requestChangeTable = pgTable(
  'request_changes',
  {
    requestId: text('request_id').notNull(),
    seq: integer('seq').notNull(),
    state: jsonColumn('state').notNull(),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.seq] })],
)
