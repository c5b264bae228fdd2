import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { integerColumn } from './columns.ts'

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
