import { type Column, type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { executions, tradeTypes } from '#src/requests/quotedRequest.ts'
import { requestStatuses } from '#src/requests/state/requestState.ts'
import { amountColumn, integerColumn, jsonColumn } from './columns.ts'

export const executionColumn = pgEnum('execution', executions)

export const tradeTypeColumn = pgEnum('trade_type', tradeTypes)

export const requestStatusColumn = pgEnum('request_status', requestStatuses)

/** Sorted by bytes, so that the quotas of a network follow its name. */
export const quotaInOrder = (quota: Column): SQL => sql`(${quota} collate "C")`

/** Hashes and addresses are text, so that people can search for them by hand. */
export const requestTable = pgTable(
  'requests',
  {
    requestId: text('request_id').primaryKey(),
    /** Null, with `order`, `inputs` and `fill`, if the user swaps without the solver. */
    orderId: text('order_id'),
    execution: executionColumn('execution').notNull(),
    /** `status` and `seq` repeat values of the state, for queries. */
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
    /** Only for multi-input requests. The JSON has the keys `until` and `partial`. */
    funding: jsonColumn('gathering'),
    /** Null, with the depositor, if the user pays no deposit address. */
    depositAddress: text('deposit_address'),
    depositor: text('depositor'),
    /** Null if the deposit address takes only one payment. */
    open: jsonColumn('open_terms'),
    /** The request of the open deposit address that this one pays. */
    parentId: text('parent_id'),
    /** When the deposit address was given up for others, Unix milliseconds. Null while it is watched. */
    evictedAt: integerColumn('evicted_at'),
    fill: jsonColumn('fill'),
    steps: jsonColumn('steps').notNull(),
    referrer: text('referrer'),
    referrerAddress: text('referrer_address'),
    apiKey: text('api_key'),
    /** Null for quotes from before limits existed. */
    quota: text('quota'),
    /** In millionths of a US dollar, rounded down. */
    subsidizedUsd: numeric('subsidized_usd', { mode: 'bigint' }).notNull(),
    /** Values and fees of the quote. Null for quotes from before it was stored. */
    summary: jsonColumn('summary'),
    /** The service that executes the request, and the request's id there. Null for requests that we execute. */
    upstream: jsonColumn('upstream'),
    /**
     * Time of the next status check there, Unix milliseconds. Null once the request has ended, and for other requests.
     */
    upstreamDueAt: integerColumn('upstream_due_at'),
    /** Unix time in milliseconds. */
    createdAt: integerColumn('created_at').notNull(),
    /** Unix time in seconds. */
    deadline: integerColumn('deadline').notNull(),
    /** The whole state; null until the first change. */
    state: jsonColumn('state'),
    /**
     * Whether a funding deposit is smaller than ordered or in another currency, or the fill waits for liquidity. The
     * solver checks fewer of these in one round. Derived from the state and the fill, for queries.
     */
    incomplete: boolean('incomplete').notNull().default(false),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    index('requests_by_order').on(table.orderId),
    // Lists read unpaid quotes apart from the others, so that no number of them delays a list of paid requests.
    index('requests_waiting_by_age').on(table.createdAt).where(sql`${table.status} = 'waiting'`),
    index('requests_waiting_by_user')
      .on(table.user, table.createdAt)
      .where(sql`${table.status} = 'waiting'`),
    index('requests_waiting_by_recipient')
      .on(table.recipient, table.createdAt)
      .where(sql`${table.status} = 'waiting' and ${table.recipient} <> ${table.user}`),
    // For users' own swaps. A quote for the solver does not update this index.
    index('requests_awaiting_swap')
      .on(table.originChainId, table.user, table.originCurrency, table.deadline)
      .where(sql`${table.status} = 'waiting' and ${table.execution} = 'user'`),
    index('requests_awaited_until')
      .on(table.originChainId, table.deadline, table.user, table.originCurrency)
      .where(sql`${table.status} = 'waiting' and ${table.execution} = 'user'`),
    index('requests_open_by_quota')
      .on(table.quota, table.deadline)
      .where(sql`${table.status} = 'waiting'`),
    index('requests_unpaid')
      .on(table.deadline)
      .where(sql`${table.status} = 'waiting' and ${table.seq} = 0`),
    // Partial indexes without `waiting`, so that storing a quote does not update them.
    index('requests_by_status')
      .on(table.status, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_paid_by_age').on(table.createdAt).where(sql`${table.status} <> 'waiting'`),
    index('requests_paid_by_user')
      .on(table.user, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_paid_by_recipient')
      .on(table.recipient, table.createdAt)
      .where(sql`${table.status} <> 'waiting' and ${table.recipient} <> ${table.user}`),
    index('requests_by_origin')
      .on(table.originChainId, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_by_destination')
      .on(table.destinationChainId, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_by_referrer')
      .on(table.referrer, table.createdAt)
      .where(sql`${table.status} <> 'waiting'`),
    index('requests_by_transaction')
      .using(
        'gin',
        sql`((${table.state}::jsonb -> 'inTxHashes') || (${table.state}::jsonb -> 'txHashes'))`,
      )
      .where(sql`${table.seq} > 0`),
    index('requests_upstream_due')
      .on(table.upstreamDueAt)
      .where(sql`${table.upstreamDueAt} is not null`),
    index('requests_with_deposit_address')
      .on(table.depositAddress)
      .where(sql`${table.depositAddress} is not null and ${table.parentId} is null`),
    index('requests_paying_address')
      .on(table.depositAddress, table.createdAt)
      .where(sql`${table.parentId} is not null`),
    index('requests_by_parent')
      .on(table.parentId, table.createdAt)
      .where(sql`${table.parentId} is not null`),
    index('requests_with_live_address')
      .on(
        sql`(case when ${table.status} in ('success', 'failure', 'refund') then (${table.state} ->> 'updatedAt')::bigint / 1000 else ${table.deadline} end)`,
        table.originChainId,
      )
      .where(
        sql`${table.depositAddress} is not null and ${table.parentId} is null and ${table.evictedAt} is null`,
      ),
    index('requests_with_unpaid_address')
      .on(quotaInOrder(table.quota), table.deadline)
      .where(
        sql`${table.depositAddress} is not null and ${table.parentId} is null and ${table.evictedAt} is null and ${table.status} = 'waiting'`,
      ),
    index('requests_depositing')
      .on(sql`((${table.funding} ->> 'until')::bigint)`)
      .where(sql`${table.status} = 'depositing'`),
    index('requests_fillable')
      .on(table.destinationChainId, table.incomplete, table.requestId)
      .where(
        sql`${table.status} = 'pending' and ${table.execution} = 'solver' and ${table.state} -> 'refunds' is null`,
      ),
    index('requests_open_by_origin')
      .on(table.originChainId)
      .where(sql`${table.status} in ('pending', 'submitted')`),
    index('requests_open_by_destination')
      .on(table.destinationChainId)
      .where(sql`${table.status} in ('pending', 'submitted')`),
  ],
)

/**
 * The condition of the index `requests_fillable`. Without parameters, because Postgres could not use the index with
 * them.
 */
export const isFillable = sql`${requestTable.status} = 'pending' and ${requestTable.execution} = 'solver' and ${requestTable.state} -> 'refunds' is null`

/** Whether the request has the transaction. Uses the index `requests_by_transaction`. */
export const hasTransaction = (hash: string): SQL =>
  sql`${requestTable.seq} > 0 and ((${requestTable.state}::jsonb -> 'inTxHashes') || (${requestTable.state}::jsonb -> 'txHashes')) ? ${hash}::text`

/**
 * The end of a request, else its deadline, in Unix seconds. Equals the expression of the index
 * `requests_with_live_address`.
 */
export const endOrDeadline = sql`(case when ${requestTable.status} in ('success', 'failure', 'refund') then (${requestTable.state} ->> 'updatedAt')::bigint / 1000 else ${requestTable.deadline} end)`

/** The deposit deadline of multi-input requests, in Unix seconds. */
export const depositDeadline = sql`((${requestTable.funding} ->> 'until')::bigint)`

/** All states of a request after the first. */
export const requestChangeTable = pgTable(
  'request_changes',
  {
    requestId: text('request_id').notNull(),
    seq: integer('seq').notNull(),
    state: jsonColumn('state').notNull(),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.seq] })],
)

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
