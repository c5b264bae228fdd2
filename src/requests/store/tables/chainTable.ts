import { bigint, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { blockNumberColumn, integerColumn } from './columns.ts'

export const chainCursorTable = pgTable('chain_cursors', {
  chainId: integerColumn('chain_id').primaryKey(),
  genesis: text('genesis').notNull(),
  blockNumber: blockNumberColumn('block_number').notNull(),
  blockHash: text('block_hash').notNull(),
})

/** Requests whose deposit addresses the chain's solver checks in its next round. */
export const sweepHintTable = pgTable(
  'sweep_hints',
  {
    chainId: integerColumn('chain_id').notNull(),
    requestId: text('request_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.requestId] })],
)

export const hintTable = pgTable(
  'hints',
  {
    hintId: bigint('hint_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integerColumn('chain_id').notNull(),
    txHash: text('tx_hash').notNull(),
    requestId: text('request_id'),
    caller: text('caller'),
  },
  // At most one hint per transaction is stored, as anybody may leave hints.
  (table) => [unique('hints_transaction').on(table.chainId, table.txHash)],
)
