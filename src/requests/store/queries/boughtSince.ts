import { and, count, desc, eq, gte, sql } from 'drizzle-orm'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'

const { destinationChainId, destinationCurrency, status, createdAt, summary } = requestTable

/** Quotes from before values were stored count as worth nothing. */
const totalUsd = sql<string>`coalesce(sum((${summary} ->> 'outUsd')::numeric), 0)`

/** The currencies of successful requests that were quoted at `since` (Unix ms) or later, the most bought first. */
export async function boughtSince(
  { db }: Database,
  since: number,
  order: 'count' | 'usd',
  limit: number,
): Promise<readonly Readonly<{ chainId: ChainId; address: Address }>[]> {
  const rows = await db
    .select({ chainId: destinationChainId, address: destinationCurrency })
    .from(requestTable)
    // A literal: with a parameter Postgres could not use the partial index.
    .where(and(eq(status, sql.raw(`'success'`)), gte(createdAt, since)))
    .groupBy(destinationChainId, destinationCurrency)
    .orderBy(desc(order === 'count' ? count() : totalUsd), destinationChainId, destinationCurrency)
    .limit(limit)
  return rows.map(({ chainId, address }) => ({
    chainId: toChainId(chainId),
    address: toAddress(address),
  }))
}
