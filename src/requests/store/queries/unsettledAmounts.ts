import { and, eq, inArray, or, sql, sum } from 'drizzle-orm'
import { toAmount } from '#src/core/units/amount.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { address } from '#src/requests/store/rows/valueSchemas.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import { given } from './statement.ts'

/** @throws what the database throws. */
export function createUnsettledReads({
  db,
}: Pick<Database, 'db'>): Pick<RequestStore, 'unsettledAmounts'> {
  const { chainId: chain, status, currency, amount, requestId } = depositTable
  const isBeingFilled = sql`exists (
    select from ${requestTable}
    where ${requestTable.requestId} = ${requestId} and ${requestTable.status} = 'submitted'
  )`
  const totals = db
    .select({ currency, amount: sum(amount) })
    .from(depositTable)
    .where(
      and(
        eq(chain, given('chainId')),
        or(inArray(status, ['filled', 'settling']), and(eq(status, 'credited'), isBeingFilled)),
      ),
    )
    .groupBy(currency)
    .prepare('unsettled_amounts')

  return {
    unsettledAmounts: async (chainId) =>
      new Map(
        (await totals.execute({ chainId })).map((row) => [
          address.parse(row.currency),
          toAmount(BigInt(row.amount ?? 0)),
        ]),
      ),
  }
}
