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

/** Assets that are neither taken nor paid out on a chain until an operator resumes them. */
export const stoppedAssetTable = pgTable(
  'stopped_assets',
  {
    chainId: integerColumn('chain_id').notNull(),
    asset: text('asset').notNull(),
    /** Unix time in milliseconds. */
    stoppedAt: integerColumn('stopped_at').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.asset] })],
)

/** An operator's acceptance of transactions that are missing in the store, by chain and account. */
export const solverAccountTable = pgTable(
  'solver_accounts',
  {
    chainId: integerColumn('chain_id').notNull(),
    account: text('account').notNull(),
    /** Every transaction with a lower nonce is accepted. */
    acceptedNonce: integerColumn('accepted_nonce').notNull(),
    /** Unix time in seconds. */
    acceptedAt: integerColumn('accepted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.account] })],
)
