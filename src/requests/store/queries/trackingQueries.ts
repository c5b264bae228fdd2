import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm'
import { z } from 'zod'
import { toAccount } from '#src/core/units/account.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toBlockHash, toTxId } from '#src/core/units/txId.ts'
import { blockHash, chainId, hash, presentIn, txId } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { parseDeposit, parseTransaction } from '#src/requests/store/rows/paymentRow.ts'
import { parseRequest } from '#src/requests/store/rows/requestRow.ts'
import {
  chainCursorTable,
  hintTable,
  sweepHintTable,
} from '#src/requests/store/tables/chainTable.ts'
import { depositTable, solverTransactionTable } from '#src/requests/store/tables/paymentTable.ts'
import { depositDeadline, requestTable } from '#src/requests/store/tables/requestTable.ts'
import type {
  Cursor,
  CursorReads,
  Hint,
  HintStore,
  Payer,
  SwapReads,
  TrackingReads,
} from '#src/requests/trackingStore.ts'
import { depositsInOrder, transactionsInOrder } from './requestReads.ts'
import { arrayOf, given } from './statement.ts'

/** @throws what the database throws. */
export function createTrackingReads({ db }: Database): CursorReads & TrackingReads {
  const deposits = depositTable
  const transactions = solverTransactionTable
  const openDeposits = depositsInOrder(
    db,
    and(
      eq(deposits.chainId, given('chainId')),
      or(
        eq(deposits.status, 'seen'),
        gt(deposits.blockNumber, given('number')),
        isNull(deposits.blockNumber),
      ),
    ),
  ).prepare('open_deposits')
  const openTransactions = transactionsInOrder(
    db,
    and(
      eq(transactions.chainId, given('chainId')),
      or(
        inArray(transactions.status, ['sent', 'mined']),
        gt(transactions.blockNumber, given('number')),
      ),
    ),
  ).prepare('open_transactions')
  const depositsOfRecords = (chainId: ChainId, records: readonly string[]) =>
    depositsInOrder(
      db,
      and(
        eq(deposits.chainId, chainId),
        inArray(sql`split_part(${deposits.depositId}, ':', 2)`, [...records]),
      ),
    )
  const overdue = db
    .select()
    .from(requestTable)
    .where(
      and(
        // A literal: with a parameter Postgres could not use the partial index.
        sql`${requestTable.status} = 'depositing'`,
        sql`${depositDeadline} < ${given('now')}`,
        isOpenOn(given('chainId')),
      ),
    )
    .prepare('overdue_requests')

  return {
    cursor: async (id) => {
      const [row] = await db.select().from(chainCursorTable).where(eq(chainCursorTable.chainId, id))
      return row && parseCursor(row)
    },
    firstQuotedAt: async (chainId) => {
      const { createdAt, inputs, originChainId, status } = requestTable
      const isInput = sql`exists (
        select from json_array_elements(${inputs}) as input where (input ->> 'chainId')::bigint = ${chainId}
      )`
      // Literals: each of the two has an index by age.
      const oldest = [sql`${status} = 'waiting'`, sql`${status} <> 'waiting'`].map((isOfIndex) =>
        db
          .select({ createdAt })
          .from(requestTable)
          .where(and(isOfIndex, or(eq(originChainId, chainId), isInput)))
          .orderBy(createdAt)
          .limit(1),
      )
      const times = (await Promise.all(oldest)).flat().map((row) => row.createdAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    openDeposits: async (chainId, number) =>
      (await openDeposits.execute({ chainId, number })).map(parseDeposit),
    openTransactions: async (chainId, number) =>
      (await openTransactions.execute({ chainId, number })).map(parseTransaction),
    depositsOfRecords: async (chainId, records) =>
      records.length === 0 ? [] : (await depositsOfRecords(chainId, records)).map(parseDeposit),
    overdue: async (chainId, now) => (await overdue.execute({ chainId, now })).map(parseRequest),
  }
}

const parseCursor = ({
  blockNumber,
  blockHash,
  ...rest
}: typeof chainCursorTable.$inferSelect): Cursor =>
  cursor.parse({ ...rest, block: { number: blockNumber, hash: blockHash } })

const cursor: z.ZodType<Cursor> = z.object({
  chainId,
  genesis: blockHash,
  block: z.object({
    number: z.bigint(),
    // A signature is longer than any block hash in base58.
    hash: z.string().transform((text) => (text.length > 44 ? toTxId(text) : toBlockHash(text))),
  }),
})

/** Whether an input of the request on the chain is open. */
const isOpenOn = (chainId: Placeholder): SQL => sql`exists (
  select from json_array_elements(${requestTable.inputs}) with ordinality as input (terms, place)
  where (input.terms ->> 'chainId')::bigint = ${chainId}
    and ${requestTable.state} -> 'fundings' -> (input.place::int - 1) ->> 'status' = 'open'
)`

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
      return rows.map((row) => ({ user: toAccount(row.user), currency: toAccount(row.currency) }))
    },
    allAwaitedPayers: async (chainId, { now, limit }) => {
      const rows = await awaitedSwaps.execute({ chainId, now, limit: limit + 1 })
      if (rows.length > limit) return undefined
      const payers = rows.map((row) => ({
        user: toAccount(row.user),
        currency: toAccount(row.currency),
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
  { user, currency }: Readonly<{ user: SQL | Account; currency: SQL | Account }>,
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

/** Maximum number of stored hints per chain, the size of a tracker's watch list. */
const maxStored = 10_000

/** @throws what the database throws. */
export function createHintQueue({ db }: Database): HintStore {
  const take = db
    .delete(hintTable)
    .where(eq(hintTable.chainId, given('chainId')))
    .returning()
    .prepare('take_hints')
  const named = db
    .select({ id: sweepHintTable.requestId })
    .from(sweepHintTable)
    .where(eq(sweepHintTable.chainId, given('chainId')))
    .limit(given('limit'))
  const takeSweepHints = db
    .delete(sweepHintTable)
    .where(
      and(
        eq(sweepHintTable.chainId, given('chainId')),
        sql`${sweepHintTable.requestId} = any(array(${named}))`,
      ),
    )
    .returning()
    .prepare('take_sweep_hints')

  return {
    addHint: async (added) => {
      await makeRoom(db, added)
      await db.insert(hintTable).values(added).onConflictDoNothing()
    },
    takeHints: async (chainId) =>
      (await take.execute({ chainId }))
        .sort((one, other) => one.hintId - other.hintId)
        .map((row) => hint.parse(presentIn(row))),
    addSweepHint: async (hint) => {
      await db.insert(sweepHintTable).values(hint).onConflictDoNothing()
    },
    takeSweepHints: async (chainId, limit) =>
      (await takeSweepHints.execute({ chainId, limit })).map((row) => hash.parse(row.requestId)),
  }
}

/** If the queue is full, deletes the oldest hint of the caller with the most hints. */
async function makeRoom(db: Database['db'], { chainId: id }: Hint): Promise<void> {
  const ofChain = eq(hintTable.chainId, id)
  const caller = sql`coalesce(${hintTable.caller}, '')`
  const count = sql`(select count(*) from ${hintTable} where ${ofChain})`
  const largest = sql`(select ${caller} from ${hintTable} where ${ofChain}
    group by 1 order by count(*) desc limit 1)`
  const oldest = sql`(select min(${hintTable.hintId}) from ${hintTable}
    where ${ofChain} and ${caller} = ${largest})`
  await db
    .delete(hintTable)
    .where(and(sql`${count} >= ${maxStored}`, sql`${hintTable.hintId} = ${oldest}`))
}

const hint: z.ZodType<Hint> = z.object({
  chainId,
  txHash: txId,
  requestId: hash.exactOptional(),
  caller: z.string().exactOptional(),
})
