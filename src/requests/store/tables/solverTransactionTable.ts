import { index, integer, pgEnum, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { purposes, solverTransactionStatuses } from '#src/requests/state/solverTransaction.ts'
import { amountColumn, blockNumberColumn, integerColumn, jsonColumn } from './columns.ts'

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
    version: integer('version').notNull(),
  },
  (table) => [
    // A nonce belongs to one transaction: only one of two with the same nonce can be mined.
    unique('solver_transactions_nonce').on(table.chainId, table.account, table.nonce),
    index('solver_transactions_by_request').on(table.requestId),
    index('solver_transactions_by_status').on(table.chainId, table.status),
    index('solver_transactions_by_block').on(table.chainId, table.blockNumber),
  ],
)
