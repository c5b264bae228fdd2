import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Hint, RequestStore } from '#src/requests/requestStore.ts'
import type { Database } from '#src/requests/store/connection/database.ts'
import { chainId, hash, presentIn } from '#src/requests/store/rows/valueSchemas.ts'
import { hintTable } from '#src/requests/store/tables/chainTable.ts'

/** Throws whatever the database does. */
export const createHints = ({
  db,
}: Pick<Database, 'db'>): Pick<RequestStore, 'addHint' | 'takeHints'> => ({
  addHint: async (given) => {
    await db.insert(hintTable).values(given).onConflictDoNothing()
  },
  takeHints: async (id) => {
    const rows = await db.delete(hintTable).where(eq(hintTable.chainId, id)).returning()
    return rows
      .sort((one, other) => one.hintId - other.hintId)
      .map((row) => hint.parse(presentIn(row)))
  },
})

const hint: z.ZodType<Hint> = z.object({ chainId, txHash: hash, requestId: hash.exactOptional() })
