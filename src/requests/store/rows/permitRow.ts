import { z } from 'zod'
import type { StoredPermit } from '#src/requests/permitStore.ts'
import { address, chainId, hash, hex, presentIn } from '#src/requests/state/valueSchemas.ts'
import type { permitTable } from '#src/requests/store/tables/permitTable.ts'

type Row = typeof permitTable.$inferSelect

/** The row with the next version. */
export const toPermitRow = (permit: StoredPermit): Row => ({
  ...permit,
  allowanceSignature: permit.allowanceSignature ?? null,
  signature: permit.signature ?? null,
  transactionId: permit.transactionId ?? null,
  version: permit.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export const parsePermit = (row: Row): StoredPermit => permit.parse(presentIn(row))

const permit: z.ZodType<StoredPermit> = z.object({
  requestId: hash,
  chainId,
  relayer: address,
  allowanceSignature: hex.exactOptional(),
  signature: hex.exactOptional(),
  transactionId: z.string().exactOptional(),
  dueAt: z.int(),
  version: z.int().min(1),
})
