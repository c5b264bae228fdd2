import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { integerColumn } from './columns.ts'

/** What an operator has accepted of an account's transactions on a chain that the store does not have. */
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
