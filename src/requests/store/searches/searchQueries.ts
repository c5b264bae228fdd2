import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type {
  FoundLog,
  LogSearch,
  SearchState,
  SearchStore,
} from '#src/chains/search/searchStore.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { hash, hex } from '#src/requests/state/stateJson.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { createLeases } from '#src/requests/store/queries/leases.ts'
import { bare, rowsOf, toStatement } from '#src/requests/store/queries/statement.ts'
import { foundLogTable, logSearchTable } from '#src/requests/store/tables/chainTable.ts'

const { searchId, chainId, genesis, address, topic } = logSearchTable
const { nextBlock, anchorNumber, anchorHash, span, found } = logSearchTable

/** @throws what the database throws. */
export function createSearchQueries({ db, atomically }: Database): SearchStore {
  const leases = createLeases(async (statement) => {
    const outcome = await atomically([statement])
    // Two processes tried to acquire the lease at the same time, and this one failed.
    return outcome === 'conflict' ? [] : (outcome[0] ?? [])
  })

  return {
    findSearch: async (search) => {
      const [row] = await db.select().from(logSearchTable).where(isSearch(search))
      return row && toState(row)
    },
    beginSearch: async (search, { first, next, ...rest }) => {
      const key = keyOf(search)
      await db
        .insert(logSearchTable)
        .values({ ...key, firstBlock: first, nextBlock: next, span: rest.span, found: rest.found })
        .onConflictDoNothing()
    },
    advanceSearch: async (search, { after, state, logs }) => {
      const outcome = await atomically([
        { ...toStatement(moveOn(search, after, state)), rows: 1 },
        ...(logs.length > 0 ? [toStatement(insertLogs(search, logs))] : []),
      ])
      return outcome !== 'conflict'
    },
    foundLogs: async (search, { after, limit }) => {
      const { blockNumber, logIndex, topics, data } = foundLogTable
      const isAbove =
        after &&
        sql`(${blockNumber}, ${logIndex}) > (${`${after.blockNumber}`}::bigint, ${after.logIndex}::int)`
      const rows = await db
        .select({ blockNumber, logIndex, topics, data })
        .from(foundLogTable)
        .where(and(sql`${foundLogTable.searchId} = ${idOf(search)}`, isAbove))
        .orderBy(asc(blockNumber), asc(logIndex))
        .limit(limit)
      return rows.map(toLog)
    },
    forgetSearch: async (search) => {
      await atomically([
        toStatement(
          sql`delete from ${foundLogTable} where ${foundLogTable.searchId} = ${idOf(search)}`,
        ),
        toStatement(sql`delete from ${logSearchTable} where ${isSearch(search)}`),
      ])
    },
    acquireLease: async ({ duty, holder, leaseMs }) =>
      (await leases.acquire(duty, holder, leaseMs)) !== undefined,
    releaseLease: ({ duty, holder }) => leases.forget(duty, holder),
  }
}

/** Deletes all searches of a chain, for every genesis block. */
export const forgetSearchesOf = (id: ChainId): readonly SQL[] => [
  sql`delete from ${foundLogTable} where ${foundLogTable.searchId} in
    (select ${searchId} from ${logSearchTable} where ${chainId} = ${id})`,
  sql`delete from ${logSearchTable} where ${chainId} = ${id}`,
]

const keyOf = (search: LogSearch): LogSearch => ({
  chainId: search.chainId,
  genesis: search.genesis,
  address: search.address,
  topic: search.topic,
})

const isSearch = (search: LogSearch): SQL | undefined =>
  and(
    eq(chainId, search.chainId),
    eq(genesis, search.genesis),
    eq(address, search.address),
    eq(topic, search.topic),
  )

const idOf = (search: LogSearch): SQL =>
  sql`(select ${searchId} from ${logSearchTable} where ${isSearch(search)})`

/** Its row lock blocks other processes with the same search until the logs are stored. */
const moveOn = (search: LogSearch, after: bigint, { next, anchor, ...rest }: SearchState) =>
  sql`update ${logSearchTable} set ${bare(nextBlock)} = ${`${next}`}::bigint, ${bare(span)} = ${`${rest.span}`}::bigint,
    ${bare(found)} = ${rest.found}::bigint,
    ${bare(anchorNumber)} = ${anchor === undefined ? null : `${anchor.number}`}::bigint,
    ${bare(anchorHash)} = ${anchor?.hash ?? null}::text
    where ${isSearch(search)} and ${nextBlock} = ${`${after}`}::bigint returning ${searchId}`

function insertLogs(search: LogSearch, logs: readonly FoundLog[]): SQL {
  const rows = logs.map(({ blockNumber, logIndex, topics, data }) =>
    JSON.stringify({
      [foundLogTable.blockNumber.name]: `${blockNumber}`,
      [foundLogTable.logIndex.name]: logIndex,
      [foundLogTable.topics.name]: topics.join(),
      [foundLogTable.data.name]: data,
    }),
  )
  const columns = ['blockNumber', 'logIndex', 'topics', 'data'] as const
  const names = sql.join(
    columns.map((column) => bare(foundLogTable[column])),
    sql`, `,
  )
  return sql`insert into ${foundLogTable} (${bare(foundLogTable.searchId)}, ${names})
    select ${idOf(search)}, ${names} from ${rowsOf(foundLogTable, rows)}`
}

const toState = (row: typeof logSearchTable.$inferSelect): SearchState =>
  state.parse({
    first: row.firstBlock,
    next: row.nextBlock,
    anchor:
      row.anchorNumber === null ? undefined : { number: row.anchorNumber, hash: row.anchorHash },
    span: row.span,
    found: row.found,
  })

const block = z.bigint().min(0n)

const state: z.ZodType<SearchState> = z.object({
  first: block,
  next: block,
  anchor: z.union([z.undefined(), z.object({ number: block, hash })]),
  span: z.bigint().min(1n),
  found: z.number().min(0),
})

const toLog = (row: Omit<typeof foundLogTable.$inferSelect, 'searchId'>): FoundLog =>
  foundLog.parse({ ...row, topics: row.topics.split(',') })

const foundLog: z.ZodType<FoundLog> = z.object({
  blockNumber: block,
  logIndex: z.number(),
  topics: z.array(hash),
  data: hex,
})
