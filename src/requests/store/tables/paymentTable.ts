import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { depositStatuses } from '#src/requests/state/deposit.ts'
import { purposes, solverTransactionStatuses } from '#src/requests/state/solverTransaction.ts'
import { amountColumn, blockNumberColumn, integerColumn, jsonColumn } from './columns.ts'

export const depositStatusColumn = pgEnum('deposit_status', depositStatuses)

export const depositTable = pgTable(
  'deposits',
  {
    depositId: text('deposit_id').primaryKey(),
    chainId: integerColumn('chain_id').notNull(),
    txHash: text('tx_hash').notNull(),
    /** Null, with the hash, while no block contains the deposit. */
    blockNumber: blockNumberColumn('block_number'),
    blockHash: text('block_hash'),
    logIndex: integerColumn('log_index'),
    /** Unix time in seconds. */
    timestamp: integerColumn('timestamp').notNull(),
    orderId: text('order_id').notNull(),
    requestId: text('request_id'),
    depositor: text('depositor').notNull(),
    currency: text('currency').notNull(),
    amount: amountColumn('amount').notNull(),
    /** Null, with the exit time, for a plain transfer. */
    recordIndex: integer('record_index'),
    /** Unix time in seconds. */
    exitTime: integerColumn('exit_time'),
    status: depositStatusColumn('status').notNull(),
    reason: text('reason'),
    refundFailReason: text('refund_fail_reason'),
    refundTries: integer('refund_tries'),
    /** Unix time in milliseconds. */
    refundDueAt: integerColumn('refund_due_at'),
    /** Payments out of it, once the payout is confirmed. Null before, and in rows from before they were stored. */
    paid: jsonColumn('paid'),
    /** Failed payments out of it. Null if there is none. */
    unpaid: jsonColumn('unpaid'),
    /** In millionths of a US dollar. Null, with the height, if the deposit is final or no fill was sent for it. */
    exposedUsd: blockNumberColumn('exposed_usd'),
    exposedHeight: blockNumberColumn('exposed_height'),
    /** Null if its settlement has paid all app fees, or is still to come. */
    owedAppFees: jsonColumn('owed_app_fees'),
    version: integer('version').notNull(),
  },
  (table) => [
    index('deposits_by_request').on(table.requestId),
    index('deposits_by_status').on(table.chainId, table.status, table.refundDueAt),
    index('deposits_exposed')
      .on(table.chainId, table.exposedHeight)
      .where(sql`${table.exposedUsd} is not null`),
    index('deposits_refundable')
      .on(table.chainId, table.depositId)
      .where(sql`${table.status} = 'refundable'`),
    index('deposits_by_block').on(table.chainId, table.blockNumber),
  ],
)

export const purposeColumn = pgEnum('purpose', purposes)

export const solverTransactionStatusColumn = pgEnum(
  'solver_transaction_status',
  solverTransactionStatuses,
)

export const solverTransactionTable = pgTable(
  'solver_transactions',
  {
    transactionId: text('transaction_id').primaryKey(),
    purpose: purposeColumn('purpose').notNull(),
    chainId: integerColumn('chain_id').notNull(),
    account: text('account').notNull(),
    nonce: integerColumn('nonce').notNull(),
    requestId: text('request_id'),
    depositIds: jsonColumn('deposit_ids').notNull(),
    spends: jsonColumn('spends').notNull(),
    attempts: jsonColumn('attempts').notNull(),
    status: solverTransactionStatusColumn('status').notNull(),
    /** Null, with the block, while no block contains the transaction. */
    minedHash: text('mined_hash'),
    blockNumber: blockNumberColumn('block_number'),
    blockHash: text('block_hash'),
    /** Timestamp of that block, Unix seconds. Also null in rows from before it was stored. */
    blockTime: integerColumn('block_time'),
    failedCost: amountColumn('failed_cost'),
    /** Unix time in milliseconds. */
    createdAt: integerColumn('created_at').notNull(),
    /** Null until it is booked, and in rows from before the solver kept books. */
    booked: jsonColumn('booked'),
    version: integer('version').notNull(),
  },
  (table) => [
    // A nonce belongs to one transaction: only one of two with the same nonce can be mined.
    unique('solver_transactions_nonce').on(table.chainId, table.account, table.nonce),
    index('solver_transactions_by_request').on(table.requestId),
    index('solver_transactions_by_status').on(table.chainId, table.status),
    index('solver_transactions_by_block').on(table.chainId, table.blockNumber),
    index('solver_transactions_unbooked')
      .on(table.chainId, table.createdAt)
      .where(sql`${table.status} in ('final', 'reverted') and ${table.booked} is null`),
  ],
)

/**
 * The solver's books: sums over the booked transactions of a UTC day, chain and purpose. US dollars are in millionths.
 * A sum leaves out unknown values; the column next to it counts them.
 */
export const bookDayTable = pgTable(
  'book_days',
  {
    chainId: integerColumn('chain_id').notNull(),
    /** Days since 1970. */
    day: integer('day').notNull(),
    purpose: purposeColumn('purpose').notNull(),
    transactions: integerColumn('transactions').notNull(),
    /** In wei. */
    gas: amountColumn('gas').notNull(),
    gasUsd: amountColumn('gas_usd').notNull(),
    gasUnknown: integerColumn('gas_unknown').notNull(),
    volumeUsd: amountColumn('volume_usd').notNull(),
    volumeUnknown: integerColumn('volume_unknown').notNull(),
    feesUsd: amountColumn('fees_usd').notNull(),
    feesUnknown: integerColumn('fees_unknown').notNull(),
    sponsoredUsd: amountColumn('sponsored_usd').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.day, table.purpose] })],
)
