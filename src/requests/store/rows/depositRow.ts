import { z } from 'zod'
import { type Deposit, depositStatuses } from '#src/requests/state/deposit.ts'
import { failReasons, refundFailReasons } from '#src/requests/state/requestState.ts'
import type { depositTable } from '#src/requests/store/tables/depositTable.ts'
import { address, amount, chainId, hash, presentIn } from './valueSchemas.ts'

type Row = typeof depositTable.$inferSelect

/** The row with the next version. Absent properties become null, so that an update clears them. */
export const toDepositRow = ({ block, ...deposit }: Deposit): Row => ({
  ...deposit,
  requestId: deposit.requestId ?? null,
  reason: deposit.reason ?? null,
  refundFailReason: deposit.refundFailReason ?? null,
  blockNumber: block?.number ?? null,
  blockHash: block?.hash ?? null,
  version: deposit.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export function parseDeposit(row: Row): Deposit {
  const { blockNumber, blockHash, ...rest } = row
  const block = blockNumber !== null && { block: { number: blockNumber, hash: blockHash } }
  return deposit.parse(presentIn({ ...rest, ...block }))
}

const deposit: z.ZodType<Deposit> = z.object({
  depositId: z.string(),
  chainId,
  txHash: hash,
  block: z.object({ number: z.bigint(), hash }).exactOptional(),
  timestamp: z.int(),
  orderId: hash,
  requestId: hash.exactOptional(),
  depositor: address,
  currency: address,
  amount,
  status: z.enum(depositStatuses),
  reason: z.enum(failReasons).exactOptional(),
  refundFailReason: z.enum(refundFailReasons).exactOptional(),
  version: z.int().min(1),
})
