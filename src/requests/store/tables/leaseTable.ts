import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
