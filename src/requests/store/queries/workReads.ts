import {
  and,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  sum,
} from 'drizzle-orm'
import { toAmount } from '#src/core/units/amount.ts'
import type { WorkReads } from '#src/requests/payoutStore.ts'
import { address } from '#src/requests/state/valueSchemas.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit } from '#src/requests/store/rows/depositRow.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { isFillable, requestTable } from '#src/requests/store/tables/requestTable.ts'
import { depositsInOrder } from './paymentReads.ts'
import { arrayOf, first, given } from './statement.ts'

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
          address.parse(row.currency),
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
