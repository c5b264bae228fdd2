import { and, desc, eq, gte, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { requestTable } from '#src/requests/store/tables/requestTable.ts'
import type { Payer, SwapReads } from '#src/requests/trackingStore.ts'
import { arrayOf, given } from './statement.ts'

const { status, execution, originChainId } = requestTable

/** @throws what the database throws. */
export function createSwapReads({ db }: Database): SwapReads {
  const pendingSwaps = db
    .select()
    .from(requestTable)
    .where(and(eq(originChainId, given('chainId')), isStatus('pending'), eq(execution, 'user')))
    .prepare('pending_swaps')
  const awaitedSwaps = db
    .select({ user: requestTable.user, currency: requestTable.originCurrency })
    .from(requestTable)
    .where(isSwapAwaited(given('chainId'), given('now')))
    .limit(given('limit'))
    .prepare('awaited_swaps')

  return {
    pendingSwaps: async (chainId) => (await pendingSwaps.execute({ chainId })).map(parseRequest),
    awaitedPayers: async (chainId, payers, now) => {
      if (payers.length === 0) return []
      const [user, currency] = [sql`payer.account`, sql`payer.currency`]
      const rows = await db
        .select({
          user: user.mapWith(String) as SQL<string>,
          currency: currency.mapWith(String) as SQL<string>,
        })
        .from(payersOf(payers))
        .where(
          sql`exists (select from ${requestTable} where ${isAwaiting(chainId, { user, currency }, now)})`,
        )
      return rows.map((row) => ({ user: toAddress(row.user), currency: toAddress(row.currency) }))
    },
    allAwaitedPayers: async (chainId, { now, limit }) => {
      const rows = await awaitedSwaps.execute({ chainId, now, limit: limit + 1 })
      if (rows.length > limit) return undefined
      const payers = rows.map((row) => ({
        user: toAddress(row.user),
        currency: toAddress(row.currency),
      }))
      return [...new Map(payers.map((each) => [`${each.user}${each.currency}`, each])).values()]
    },
    waitingSwaps: async (chainId, of, { now, limit }) => {
      const rows = await db
        .select()
        .from(requestTable)
        .where(isAwaiting(chainId, of, now))
        .orderBy(desc(requestTable.deadline))
        .limit(limit)
      return rows.map(parseRequest)
    },
  }
}

/** The payer's requests on the chain that await their own swap. A partial index contains exactly these. */
function isAwaiting(
  chainId: ChainId,
  { user, currency }: Readonly<{ user: SQL | Address; currency: SQL | Address }>,
  now: number,
): SQL | undefined {
  return and(
    isSwapAwaited(chainId, now),
    eq(requestTable.user, user),
    eq(requestTable.originCurrency, currency),
  )
}

function isSwapAwaited(chainId: ChainId | Placeholder, now: number | Placeholder): SQL | undefined {
  return and(
    isStatus('waiting'),
    sql`${execution} = 'user'`,
    eq(originChainId, chainId),
    gte(requestTable.deadline, now),
  )
}

/** A literal: with a parameter Postgres could not use the partial indexes. */
function isStatus(one: 'pending' | 'waiting'): SQL {
  return sql`${status} = ${sql.raw(`'${one}'`)}`
}

const payersOf = (payers: readonly Payer[]): SQL => {
  const [users, currencies] = [payers.map(({ user }) => user), payers.map((each) => each.currency)]
  return sql`unnest(${arrayOf(users)}::text[], ${arrayOf(currencies)}::text[]) as payer (account, currency)`
}
