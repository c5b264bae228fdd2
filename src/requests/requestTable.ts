import { bigint, index, integer, json, numeric, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { executions, tradeTypes } from './quotedRequest.ts'
import { requestStatuses } from './requestStatus.ts'

export const executionColumn = pgEnum('execution', executions)

export const tradeTypeColumn = pgEnum('trade_type', tradeTypes)

export const requestStatusColumn = pgEnum('request_status', requestStatuses)

/**
 * Hashes and addresses are text, spelled as everywhere: people look for them by hand. Orders and steps
 * are read back whole and never searched: `json` keeps them as they came, which costs least.
 */
export const requestTable = pgTable(
  'requests',
  {
    requestId: text('request_id').primaryKey(),
    /** With `order` and the deposit: null where the user swaps alone. */
    orderId: text('order_id'),
    execution: executionColumn('execution').notNull(),
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
    depositCurrency: text('deposit_currency'),
    depositAmount: amountColumn('deposit_amount'),
    order: json('order'),
    steps: json('steps').notNull(),
    referrer: text('referrer'),
    referrerAddress: text('referrer_address'),
    apiKey: text('api_key'),
    /** Millionths of a dollar. */
    subsidizedUsd: numeric('subsidized_usd', { mode: 'bigint' }).notNull(),
    /** Milliseconds since 1970. */
    createdAt: integerColumn('created_at').notNull(),
    /** Seconds since 1970. */
    deadline: integerColumn('deadline').notNull(),
  },
  (table) => [
    index('requests_by_order').on(table.orderId),
    index('requests_by_user').on(table.user, table.createdAt),
    index('requests_by_status').on(table.status),
    index('requests_by_origin_chain').on(table.originChainId, table.status),
  ],
)

/** A safe integer. */
function integerColumn(name: string) {
  return bigint(name, { mode: 'number' })
}

/** 2^256 − 1 has 78 digits. */
function amountColumn(name: string) {
  return numeric(name, { precision: 78, scale: 0, mode: 'bigint' })
}
