import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { relayedCallStatuses } from '#src/requests/relayedCall.ts'
import { amountColumn, integerColumn, jsonColumn } from './columns.ts'

/** Signatures of users, until their requests end. */
export const permitTable = pgTable(
  'permits',
  {
    requestId: text('request_id').primaryKey(),
    chainId: integerColumn('chain_id').notNull(),
    relayer: text('relayer').notNull(),
    allowanceSignature: text('allowance_signature'),
    /** Null while only the allowance is signed. */
    signature: text('signature'),
    transactionId: text('transaction_id'),
    /** Unix time in milliseconds. */
    dueAt: integerColumn('due_at').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    index('permits_due')
      .on(table.chainId, table.relayer, table.dueAt)
      .where(sql`${table.signature} is not null`),
  ],
)

export const relayedCallStatusColumn = pgEnum('relayed_call_status', relayedCallStatuses)

/**
 * Calls that the relayer sends for API keys. They stay after their end, because each key's budget is computed from
 * them.
 */
export const relayedCallTable = pgTable(
  'relayed_calls',
  {
    callId: text('call_id').primaryKey(),
    requestId: text('request_id').notNull(),
    chainId: integerColumn('chain_id').notNull(),
    relayer: text('relayer').notNull(),
    /** Name of the API key. */
    apiKey: text('api_key').notNull(),
    isQuoted: boolean('is_quoted').notNull(),
    call: jsonColumn('call').notNull(),
    gas: amountColumn('gas').notNull(),
    /** In wei. */
    maxCost: amountColumn('max_cost').notNull(),
    /** In millionths of a US dollar. */
    chargedUsd: amountColumn('charged_usd').notNull(),
    status: relayedCallStatusColumn('status').notNull(),
    failReason: text('fail_reason'),
    reason: text('reason'),
    txHash: text('tx_hash'),
    /** Unix time in milliseconds, as the next two. */
    dueAt: integerColumn('due_at').notNull(),
    createdAt: integerColumn('created_at').notNull(),
    updatedAt: integerColumn('updated_at').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    index('relayed_calls_by_request').on(table.requestId),
    index('relayed_calls_by_key').on(table.apiKey, table.createdAt),
    index('relayed_calls_due')
      .on(table.chainId, table.relayer, table.dueAt)
      .where(sql`${table.status} in ('queued', 'sent')`),
  ],
)
