import { bigint, integer, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'
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

/** The process that holds each duty. Rows are never deleted, so that tokens only grow. */
export const leaseTable = pgTable('leases', {
  duty: text('duty').primaryKey(),
  /** Number of the term. */
  token: bigint('token', { mode: 'bigint' }).notNull(),
  /** Identifies the process. */
  holder: text('holder').notNull(),
  /** By the clock of the database. */
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

/** Searches for the logs of one event of one contract, such as a factory's event for a new pool. */
export const logSearchTable = pgTable(
  'log_searches',
  {
    searchId: bigint('search_id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integerColumn('chain_id').notNull(),
    /** Hash of block 0: a chain that restarts under its id has another one. */
    genesis: text('genesis').notNull(),
    address: text('address').notNull(),
    topic: text('topic').notNull(),
    firstBlock: blockNumberColumn('first_block').notNull(),
    /** Every block from the first up to the one before this is final and searched. */
    nextBlock: blockNumberColumn('next_block').notNull(),
    anchorNumber: blockNumberColumn('anchor_number'),
    anchorHash: text('anchor_hash'),
    /** Number of blocks that nodes answer at a time, as learnt. */
    span: blockNumberColumn('span').notNull(),
    /** Number of its logs. */
    found: integerColumn('found').notNull(),
  },
  (table) => [
    unique('log_searches_key').on(table.chainId, table.genesis, table.address, table.topic),
  ],
)

export const foundLogTable = pgTable(
  'found_logs',
  {
    searchId: bigint('search_id', { mode: 'bigint' }).notNull(),
    blockNumber: blockNumberColumn('block_number').notNull(),
    logIndex: integer('log_index').notNull(),
    /** Separated by commas. */
    topics: text('topics').notNull(),
    data: text('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.searchId, table.blockNumber, table.logIndex] })],
)
