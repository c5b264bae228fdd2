import { and, asc, eq, isNotNull, sql, sum } from 'drizzle-orm'
import { toAddress } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { ExposureReads } from '#src/requests/payoutStore.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Database, Statement } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/depositRow.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { given, isOneOf, toStatement } from './statement.ts'

/** @throws what the database throws. */
export function createExposureReads({ db }: Database): ExposureReads {
  const { exposedUsd, exposedHeight, depositId, depositor } = depositTable
  const isExposed = and(eq(depositTable.chainId, given('chainId')), isNotNull(exposedUsd))
  const total = db
    .select({ usd: sum(exposedUsd) })
    .from(depositTable)
    .where(isExposed)
    .prepare('exposure')
  const byPayer = db
    .select({ payer: depositor, usd: sum(exposedUsd) })
    .from(depositTable)
    .where(isExposed)
    .groupBy(depositor)
    .prepare('exposure_by_payer')
  const exposed = db
    .select()
    .from(depositTable)
    .where(isExposed)
    .orderBy(asc(exposedHeight), asc(depositId))
    .limit(given('limit'))
    .prepare('exposed_deposits')

  return {
    exposureUsd: async (chainId) => {
      const [row] = await total.execute({ chainId })
      return toUsd(BigInt(row?.usd ?? 0))
    },
    exposureByPayer: async (chainId) => {
      const rows = await byPayer.execute({ chainId })
      return new Map(rows.map(({ payer, usd }) => [toAddress(payer), toUsd(BigInt(usd ?? 0))]))
    },
    exposedDeposits: async (chainId, limit) =>
      (await exposed.execute({ chainId, limit })).map(parseDeposit),
  }
}

/**
 * Fails the save if the exposure of a chain, or of one payer there, would exceed its limit. Runs after the deposits are written. The lock makes
 * the concurrent saves of several destination chains' solvers count each other's rows.
 */
export const checkExposures = (limits: NonNullable<Batch['exposureLimits']>): Statement[] =>
  // Always in the same order, so that two batches cannot deadlock.
  limits
    .toSorted((one, other) => one.chainId - other.chainId)
    .flatMap(({ chainId, maxUsd, payers }) => {
      const { exposedUsd, depositor } = depositTable
      const id = sql`${chainId}::bigint`
      const exposed = sql`from ${depositTable}
        where ${depositTable.chainId} = ${id} and ${exposedUsd} is not null`
      const total = sql`select coalesce(sum(${exposedUsd}), 0) ${exposed}`
      return [
        toStatement(sql`select pg_advisory_xact_lock(hashtextextended('exposure', ${id}))`),
        toStatement(sql`select 1 where (${total}) <= ${`${maxUsd}`}::numeric`, 1),
        ...(payers === undefined
          ? []
          : [
              toStatement(
                sql`select 1 where not exists (
                  select ${exposed} and ${isOneOf(depositor, payers.addresses)} group by ${depositor}
                  having sum(${exposedUsd}) > ${`${payers.maxUsd}`}::numeric
                )`,
                1,
              ),
            ]),
      ]
    })
