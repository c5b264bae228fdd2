import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { StoppedAsset, StoppedAssetStore } from '#src/requests/payoutStore.ts'
import { chainId } from '#src/requests/state/valueSchemas.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { stoppedAssetTable } from '#src/requests/store/tables/chainTable.ts'

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
