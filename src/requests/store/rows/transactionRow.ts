import { z } from 'zod'
import {
  purposes,
  type SolverTransaction,
  solverTransactionStatuses,
} from '#src/requests/state/solverTransaction.ts'
import {
  address,
  bigint,
  chainId,
  hash,
  hex,
  jsonAmount,
  presentIn,
} from '#src/requests/state/valueSchemas.ts'
import type { solverTransactionTable } from '#src/requests/store/tables/solverTransactionTable.ts'

type Row = typeof solverTransactionTable.$inferSelect

/** The row with the next version. Absent properties become null, so that an update clears them. */
export const toTransactionRow = ({ mined, ...transaction }: SolverTransaction): Row => ({
  ...transaction,
  requestId: transaction.requestId ?? null,
  failedCost: transaction.failedCost ?? null,
  minedHash: mined?.hash ?? null,
  blockNumber: mined?.block.number ?? null,
  blockHash: mined?.block.hash ?? null,
  blockTime: mined?.block.timestamp ?? null,
  version: transaction.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export function parseTransaction(row: Row): SolverTransaction {
  const { minedHash, blockNumber, blockHash, blockTime, ...rest } = row
  const mined = blockNumber !== null && {
    mined: {
      hash: minedHash,
      block: presentIn({ number: blockNumber, hash: blockHash, timestamp: blockTime }),
    },
  }
  return transaction.parse(presentIn({ ...rest, ...mined }))
}

const transaction: z.ZodType<SolverTransaction> = z.object({
  transactionId: z.string(),
  purpose: z.enum(purposes),
  chainId,
  account: address,
  nonce: z.int().min(0),
  requestId: hash.exactOptional(),
  depositIds: z.array(z.string()),
  spends: z.array(z.object({ currency: address, amount: jsonAmount })),
  attempts: z.array(
    z.object({ hash, raw: hex, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint }),
  ),
  status: z.enum(solverTransactionStatuses),
  mined: z
    .object({
      hash,
      block: z.object({ number: z.bigint(), hash, timestamp: z.int().exactOptional() }),
    })
    .exactOptional(),
  failedCost: z.bigint().exactOptional(),
  createdAt: z.int(),
  version: z.int().min(1),
})
