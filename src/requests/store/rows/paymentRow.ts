import { z } from 'zod'
import { toUsd } from '#src/core/units/usd.ts'
import { type Deposit, depositStatuses } from '#src/requests/state/deposit.ts'
import { failReasons, refundFailReasons } from '#src/requests/state/requestState.ts'
import {
  type Booking,
  purposes,
  type SolverTransaction,
  solverTransactionStatuses,
} from '#src/requests/state/solverTransaction.ts'
import {
  account,
  amount,
  bigint,
  blockHash,
  chainId,
  hash,
  hex,
  jsonAmount,
  presentIn,
  txId,
} from '#src/requests/state/stateJson.ts'
import type {
  depositTable,
  solverTransactionTable,
} from '#src/requests/store/tables/paymentTable.ts'

type DepositRow = typeof depositTable.$inferSelect

/** The row with the next version. Absent properties become null, so that an update clears them. */
export const toDepositRow = ({ block, record, exposure, ...deposit }: Deposit): DepositRow => ({
  ...deposit,
  recordIndex: record?.index ?? null,
  exitTime: record?.exitTime ?? null,
  requestId: deposit.requestId ?? null,
  reason: deposit.reason ?? null,
  refundFailReason: deposit.refundFailReason ?? null,
  refundTries: deposit.refundTries ?? null,
  refundDueAt: deposit.refundDueAt ?? null,
  blockNumber: block?.number ?? null,
  blockHash: block?.hash ?? null,
  logIndex: deposit.logIndex ?? null,
  owedAppFees: deposit.owedAppFees ?? null,
  paid: deposit.paid ?? null,
  unpaid: deposit.unpaid ?? null,
  exposedUsd: exposure?.usd ?? null,
  exposedHeight: exposure?.height ?? null,
  version: deposit.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export function parseDeposit(row: DepositRow): Deposit {
  const { blockNumber, blockHash, exposedUsd, exposedHeight, recordIndex, exitTime, ...rest } = row
  const block = blockNumber !== null && { block: { number: blockNumber, hash: blockHash } }
  const exposure = exposedUsd !== null && { exposure: { usd: exposedUsd, height: exposedHeight } }
  const record = recordIndex !== null && { record: { index: recordIndex, exitTime } }
  return deposit.parse(presentIn({ ...rest, ...block, ...exposure, ...record }))
}

const payments = z.array(z.object({ recipient: account, amount: jsonAmount }))

const deposit: z.ZodType<Deposit> = z.object({
  depositId: z.string(),
  chainId,
  txHash: txId,
  block: z.object({ number: z.bigint(), hash: blockHash }).exactOptional(),
  logIndex: z.int().min(0).exactOptional(),
  timestamp: z.int(),
  orderId: hash,
  requestId: hash.exactOptional(),
  depositor: account,
  currency: account,
  amount,
  record: z.object({ index: z.int().min(0), exitTime: z.int() }).exactOptional(),
  status: z.enum(depositStatuses),
  reason: z.enum(failReasons).exactOptional(),
  refundFailReason: z.enum(refundFailReasons).exactOptional(),
  owedAppFees: z.array(z.object({ recipient: account, amount: bigint })).exactOptional(),
  refundTries: z.int().exactOptional(),
  refundDueAt: z.int().exactOptional(),
  paid: payments.exactOptional(),
  unpaid: payments.exactOptional(),
  exposure: z.object({ usd: z.bigint().transform(toUsd), height: z.bigint() }).exactOptional(),
  version: z.int().min(1),
})

type TransactionRow = typeof solverTransactionTable.$inferSelect

/** The row with the next version. Absent properties become null, so that an update clears them. */
export const toTransactionRow = ({ mined, ...transaction }: SolverTransaction): TransactionRow => ({
  ...transaction,
  requestId: transaction.requestId ?? null,
  failedCost: transaction.failedCost ?? null,
  minedHash: mined?.hash ?? null,
  blockNumber: mined?.block.number ?? null,
  blockHash: mined?.block.hash ?? null,
  blockTime: mined?.block.timestamp ?? null,
  booked: transaction.booked ?? null,
  version: transaction.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export function parseTransaction(row: TransactionRow): SolverTransaction {
  const { minedHash, blockNumber, blockHash, blockTime, ...rest } = row
  const mined = blockNumber !== null && {
    mined: {
      hash: minedHash,
      block: presentIn({ number: blockNumber, hash: blockHash, timestamp: blockTime }),
    },
  }
  return transaction.parse(presentIn({ ...rest, ...mined }))
}

const usd = bigint.transform(toUsd)

const booking: z.ZodType<Booking> = z.object({
  day: z.int(),
  gas: bigint.nullable(),
  gasUsd: usd.nullable(),
  volumeUsd: usd.nullable().exactOptional(),
  feesUsd: usd.nullable().exactOptional(),
  sponsoredUsd: usd.exactOptional(),
})

const transaction: z.ZodType<SolverTransaction> = z.object({
  transactionId: z.string(),
  purpose: z.enum(purposes),
  chainId,
  account,
  nonce: z.int().min(0),
  requestId: hash.exactOptional(),
  depositIds: z.array(z.string()),
  spends: z.array(z.object({ currency: account, amount: jsonAmount })),
  attempts: z.array(
    z.object({ hash: txId, raw: hex, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint }),
  ),
  status: z.enum(solverTransactionStatuses),
  mined: z
    .object({
      hash: txId,
      block: z.object({ number: z.bigint(), hash: blockHash, timestamp: z.int().exactOptional() }),
    })
    .exactOptional(),
  failedCost: z.bigint().exactOptional(),
  booked: booking.exactOptional(),
  createdAt: z.int(),
  version: z.int().min(1),
})
