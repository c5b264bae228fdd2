import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { integerColumn } from './columns.ts'

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
