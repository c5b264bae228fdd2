import { and, count, desc, eq, gte, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { toAddress } from '#src/core/units/address.ts'
import type { PermitStore, StoredPermit } from '#src/requests/permitStore.ts'
import { isReverted } from '#src/requests/state/solverTransaction.ts'
import { address, chainId, hash, hex, presentIn } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseTransaction } from '#src/requests/store/rows/paymentRow.ts'
import { solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { permitTable } from '#src/requests/store/tables/relayedTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { given, isOneOf } from './statement.ts'

/** Far more than the hourly limit on their cost allows. */
const maxReverted = 1_000

/** @throws what the database throws. */
export function createPermitQueries({ db }: Database): PermitStore {
  const { chainId, relayer, dueAt, signature, version } = permitTable
  const transactions = solverTransactionTable
  const due = db
    .select()
    .from(permitTable)
    .where(
      and(
        eq(chainId, given('chainId')),
        eq(relayer, given('relayer')),
        lte(dueAt, given('now')),
        // A literal: with a parameter Postgres could not use the partial index.
        sql`${signature} is not null`,
      ),
    )
    .orderBy(version, desc(dueAt))
    .limit(given('limit'))
    .prepare('due_permits')

  return {
    findPermit: async (requestId) => {
      const [row] = await db.select().from(permitTable).where(eq(permitTable.requestId, requestId))
      return row && parsePermit(row)
    },
    duePermits: async (args) => (await due.execute(args)).map(parsePermit),
    async revertedPermits(onChain, since) {
      const rows = await db
        .select({ transaction: transactions, payer: requestTable.user })
        .from(transactions)
        .innerJoin(requestTable, eq(requestTable.requestId, transactions.requestId))
        .where(
          and(
            eq(transactions.chainId, onChain),
            eq(transactions.status, 'reverted'),
            eq(transactions.purpose, 'permit'),
            gte(transactions.createdAt, since),
          ),
        )
        .orderBy(desc(transactions.createdAt))
        .limit(maxReverted)
      return rows.flatMap(({ transaction, payer }) => {
        const parsed = parseTransaction(transaction)
        const { createdAt: at, failedCost: cost = 0n } = parsed
        return isReverted(parsed) ? [{ payer: toAddress(payer), at, cost }] : []
      })
    },
    async countPaidPermits(onChain, payers, since) {
      if (payers.length === 0) return new Map()
      const { user, createdAt, requestId } = requestTable
      const rows = await db
        .select({ user, paid: count() })
        .from(requestTable)
        .innerJoin(transactions, eq(transactions.requestId, requestId))
        .where(
          and(
            isOneOf(user, payers),
            gte(createdAt, since),
            eq(transactions.chainId, onChain),
            eq(transactions.purpose, 'permit'),
            sql`${transactions.status} in ('mined', 'final')`,
          ),
        )
        .groupBy(user)
      return new Map(rows.map(({ user: payer, paid }) => [toAddress(payer), paid]))
    },
    removePermits: async (requestIds) => {
      if (requestIds.length === 0) return
      await db.delete(permitTable).where(isOneOf(permitTable.requestId, requestIds))
    },
  }
}

type Row = typeof permitTable.$inferSelect

/** The row with the next version. */
export const toPermitRow = (permit: StoredPermit): Row => ({
  ...permit,
  allowanceSignature: permit.allowanceSignature ?? null,
  signature: permit.signature ?? null,
  transactionId: permit.transactionId ?? null,
  version: permit.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
const parsePermit = (row: Row): StoredPermit => permit.parse(presentIn(row))

const permit: z.ZodType<StoredPermit> = z.object({
  requestId: hash,
  chainId,
  relayer: address,
  allowanceSignature: hex.exactOptional(),
  signature: hex.exactOptional(),
  transactionId: z.string().exactOptional(),
  dueAt: z.int(),
  version: z.int().min(1),
})
