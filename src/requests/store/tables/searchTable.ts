import { bigint, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { blockNumberColumn, integerColumn } from './columns.ts'

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
