import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  sql,
  sum,
} from 'drizzle-orm'
import { z } from 'zod'
import { toAccount } from '#src/core/units/account.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type {
  ExposureReads,
  NonceStore,
  StoppedAsset,
  StoppedAssetStore,
  WorkReads,
} from '#src/requests/payoutStore.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import { account, chainId } from '#src/requests/state/stateJson.ts'
import type { Database, Statement } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/paymentRow.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { solverAccountTable, stoppedAssetTable } from '#src/requests/store/tables/chainTable.ts'
import { depositTable, solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { isFillable, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { depositsInOrder } from './requestReads.ts'
import { arrayOf, first, given, isOneOf, toStatement } from './statement.ts'

const deposits = depositTable
const isOfChain = eq(deposits.chainId, given('chainId'))

/** @throws what the database throws. */
export function createWorkReads({ db }: Database): WorkReads {
  const fillable = db
    .select()
    .from(requestTable)
    .where(
      and(
        eq(requestTable.destinationChainId, given('chainId')),
        eq(requestTable.incomplete, given('isIncomplete')),
        isFillable,
        gt(requestTable.requestId, given('after')),
      ),
    )
    .orderBy(requestTable.requestId)
    .limit(given('limit'))
    .prepare('fillable_requests')
  const refundable = prepareRefundable(db)
  const openPayments = prepareOpenPayments(db)
  const unsettled = depositsInOrder(db, and(isOfChain, eq(deposits.status, 'filled'))).prepare(
    'unsettled_deposits',
  )
  const nearExit = depositsInOrder(
    db,
    and(
      isOfChain,
      inArray(deposits.status, ['credited', 'filled', 'settling']),
      lt(deposits.exitTime, given('before')),
      isNotNull(deposits.blockNumber),
    ),
  ).prepare('deposits_near_exit')
  const unsettledAmounts = prepareUnsettledAmounts(db)

  return {
    fillable: async (chainId, isIncomplete, { after = first, limit }) =>
      (await fillable.execute({ chainId, isIncomplete, after, limit })).map(parseRequest),
    refundable: async (chainId, now, { after = first, limit }) =>
      (await refundable.execute({ chainId, now, after, limit })).map(parseDeposit),
    unsettled: async (chainId) => (await unsettled.execute({ chainId })).map(parseDeposit),
    openPayments: async (chainId, height, { except, limit }) =>
      (await openPayments.execute({ chainId, height, except: arrayOf(except), limit })).map(
        parseDeposit,
      ),
    nearExit: async (chainId, before) =>
      (await nearExit.execute({ chainId, before })).map(parseDeposit),
    unsettledAmounts: async (chainId) =>
      new Map(
        (await unsettledAmounts.execute({ chainId })).map((row) => [
          account.parse(row.currency),
          toAmount(BigInt(row.amount ?? 0)),
        ]),
      ),
  }
}

const prepareRefundable = (db: Database['db']) =>
  db
    .select()
    .from(deposits)
    .where(
      and(
        isOfChain,
        // A literal: with a parameter Postgres could not use the partial index.
        sql`${deposits.status} = 'refundable'`,
        or(isNull(deposits.refundDueAt), lte(deposits.refundDueAt, given('now'))),
        gt(deposits.depositId, given('after')),
      ),
    )
    .orderBy(deposits.depositId)
    .limit(given('limit'))
    .prepare('refundable_deposits')

/** Payments to open addresses. Each address has a first, a second, … turn, by the size of its payments. */
function prepareOpenPayments(db: Database['db']) {
  const turns = db
    .select({
      depositId: deposits.depositId,
      turn: sql<number>`row_number() over (
        partition by ${deposits.requestId} order by ${deposits.amount} desc, ${deposits.depositId}
      )`.as('turn'),
    })
    .from(deposits)
    .where(
      and(
        isOfChain,
        sql`not (${deposits.depositId} = any(${given('except')}::text[]))`,
        eq(deposits.status, 'seen'),
        lte(deposits.blockNumber, given('height')),
        sql`exists (
        select from ${requestTable} where ${requestTable.requestId} = ${deposits.requestId}
          and ${requestTable.open} is not null and ${requestTable.originChainId} = ${given('chainId')}
      )`,
      ),
    )
    .as('turns')
  return db
    .select(getTableColumns(deposits))
    .from(deposits)
    .innerJoin(turns, eq(turns.depositId, deposits.depositId))
    .orderBy(turns.turn, deposits.depositId)
    .limit(given('limit'))
    .prepare('open_payments')
}

function prepareUnsettledAmounts(db: Database['db']) {
  const { chainId: chain, status, currency, amount, requestId } = depositTable
  const isBeingFilled = sql`exists (
    select from ${requestTable}
    where ${requestTable.requestId} = ${requestId} and ${requestTable.status} = 'submitted'
  )`
  return db
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
}

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
      return new Map(rows.map(({ payer, usd }) => [toAccount(payer), toUsd(BigInt(usd ?? 0))]))
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

/** @throws what the database throws. */
export function createNonces({ db }: Database): NonceStore {
  const transactions = solverTransactionTable
  const lastNonce = db
    .select({ nonce: max(transactions.nonce) })
    .from(transactions)
    .where(
      and(eq(transactions.chainId, given('chainId')), eq(transactions.account, given('account'))),
    )
    .prepare('last_nonce')
  const accounts = solverAccountTable
  const accepted = db
    .select({ nonce: accounts.acceptedNonce })
    .from(accounts)
    .where(and(eq(accounts.chainId, given('chainId')), eq(accounts.account, given('account'))))
    .prepare('accepted_nonce')

  async function acceptedNonce(chainId: ChainId, account: Account): Promise<number> {
    const [found] = await accepted.execute({ chainId, account })
    return found?.nonce ?? 0
  }

  return {
    acceptedNonce,
    nextNonce: async (chainId, account) => {
      const [[last], floor] = await Promise.all([
        lastNonce.execute({ chainId, account }),
        acceptedNonce(chainId, account),
      ])
      return Math.max((last?.nonce ?? -1) + 1, floor)
    },
    acceptNonce: async ({ chainId, account, nonce, acceptedAt }) => {
      await db
        .insert(accounts)
        .values({ chainId, account, acceptedNonce: nonce, acceptedAt })
        .onConflictDoUpdate({
          target: [accounts.chainId, accounts.account],
          set: { acceptedNonce: nonce, acceptedAt },
          setWhere: lt(accounts.acceptedNonce, nonce),
        })
    },
  }
}

/** @throws what the database throws. */
export function createStoppedAssets({ db }: Database): StoppedAssetStore {
  const table = stoppedAssetTable
  return {
    stopAsset: async (stop) => {
      const inserted = await db
        .insert(table)
        .values(stop)
        .onConflictDoNothing()
        .returning({ asset: table.asset })
      return inserted.length > 0
    },
    stoppedAssets: async (id) =>
      (
        await db
          .select()
          .from(table)
          .where(id === undefined ? undefined : eq(table.chainId, id))
          .orderBy(asc(table.chainId), asc(table.asset))
      ).map((row) => stoppedAsset.parse(row)),
    resumeAsset: async (id, asset) => {
      const removed = await db
        .delete(table)
        .where(and(eq(table.chainId, id), eq(table.asset, asset)))
        .returning({ asset: table.asset })
      return removed.length > 0
    },
  }
}

const stoppedAsset: z.ZodType<StoppedAsset> = z.object({
  chainId,
  asset: z.string(),
  stoppedAt: z.number(),
  reason: z.string(),
})
