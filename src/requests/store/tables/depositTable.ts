import { index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { depositStatuses } from '#src/requests/state/deposit.ts'
import { amountColumn, blockNumberColumn, integerColumn } from './columns.ts'

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
    /** Unix time in seconds. */
    timestamp: integerColumn('timestamp').notNull(),
    orderId: text('order_id').notNull(),
    requestId: text('request_id'),
    depositor: text('depositor').notNull(),
    currency: text('currency').notNull(),
    amount: amountColumn('amount').notNull(),
    status: depositStatusColumn('status').notNull(),
    reason: text('reason'),
    refundFailReason: text('refund_fail_reason'),
    version: integer('version').notNull(),
  },
  (table) => [
    index('deposits_by_request').on(table.requestId),
    index('deposits_by_status').on(table.chainId, table.status),
    index('deposits_by_block').on(table.chainId, table.blockNumber),
  ],
)
