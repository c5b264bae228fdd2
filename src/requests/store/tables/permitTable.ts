import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { integerColumn } from './columns.ts'

/** Signatures of users, until their requests end. */
export const permitTable = pgTable(
  'permits',
  {
    requestId: text('request_id').primaryKey(),
    chainId: integerColumn('chain_id').notNull(),
    relayer: text('relayer').notNull(),
    allowanceSignature: text('allowance_signature'),
    /** Null while only the allowance is signed. */
    signature: text('signature'),
    transactionId: text('transaction_id'),
    /** Unix time in milliseconds. */
    dueAt: integerColumn('due_at').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    index('permits_due')
      .on(table.chainId, table.relayer, table.dueAt)
      .where(sql`${table.signature} is not null`),
  ],
)
