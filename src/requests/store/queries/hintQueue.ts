import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { chainId, hash, presentIn } from '#src/requests/state/valueSchemas.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { hintTable, sweepHintTable } from '#src/requests/store/tables/chainTable.ts'
import type { Hint, HintStore } from '#src/requests/trackingStore.ts'
import { given } from './statement.ts'

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
  txHash: hash,
  requestId: hash.exactOptional(),
  caller: z.string().exactOptional(),
})
