import { z } from 'zod'
import type { ProtocolOrder } from '#src/execution/protocolOrder.ts'
import type { Step } from '#src/execution/step.ts'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { toUsd } from '#src/units/usd.ts'
import { executions, type StoredRequest, tradeTypes } from './quotedRequest.ts'
import { requestStatuses } from './requestStatus.ts'
import type { requestTable } from './requestTable.ts'

/** @throws ZodError or RangeError for a row that this store did not write. */
export const parseRow = (row: typeof requestTable.$inferSelect): StoredRequest =>
  storedRequest.parse(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))

const hex = z.custom<`0x${string}`>((value) => /^0x([0-9a-f]{2})*$/i.test(String(value)))
const hash = z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value)))
const address = z.string().transform(toAddress)
const chainId = z.number().transform(toChainId)
const amount = z.bigint().transform(toAmount)
const bigint = z
  .string()
  .regex(/^-?[0-9]{1,78}$/)
  .transform(BigInt)

const transactionData = z.object({
  from: address,
  to: address,
  data: hex,
  value: bigint,
  chainId,
  maxFeePerGas: bigint,
  maxPriorityFeePerGas: bigint,
  isFirst: z.boolean(),
})

const step: z.ZodType<Step> = z.object({
  id: z.enum(['approve', 'deposit', 'swap', 'send']),
  action: z.string(),
  description: z.string(),
  kind: z.literal('transaction'),
  requestId: hash,
  depositAddress: z.literal('').exactOptional(),
  items: z.array(
    z.object({
      status: z.literal('incomplete'),
      data: transactionData,
      check: z.object({ endpoint: z.string(), method: z.literal('GET') }).exactOptional(),
    }),
  ),
})

const protocolOrder: z.ZodType<ProtocolOrder> = z.object({
  version: z.literal('v1'),
  solverChainId: z.string(),
  solver: address,
  salt: bigint,
  inputs: z.array(
    z.object({
      payment: z.object({ chainId: z.string(), currency: address, amount: bigint, weight: bigint }),
      refunds: z.array(
        z.object({
          chainId: z.string(),
          recipient: address,
          currency: address,
          minimumAmount: bigint,
          deadline: z.int(),
          extraData: hex,
        }),
      ),
    }),
  ),
  output: z.object({
    chainId: z.string(),
    payments: z.array(
      z.object({
        recipient: address,
        currency: address,
        minimumAmount: bigint,
        expectedAmount: bigint,
      }),
    ),
    deadline: z.int(),
    calls: z.array(hex),
    extraData: hex,
  }),
  fees: z.array(
    z.object({
      recipientChainId: z.string(),
      recipient: address,
      currencyChainId: z.string(),
      currency: address,
      amount: bigint,
    }),
  ),
})

const shared = {
  requestId: hash,
  status: z.enum(requestStatuses),
  seq: z.int().min(0),
  user: address,
  recipient: address,
  refundTo: address,
  originChainId: chainId,
  destinationChainId: chainId,
  originCurrency: address,
  destinationCurrency: address,
  tradeType: z.enum(tradeTypes),
  amountIn: amount,
  amountOut: amount,
  minimumAmountOut: amount,
  steps: z.array(step),
  referrer: z.string().exactOptional(),
  referrerAddress: address.exactOptional(),
  apiKey: z.string().exactOptional(),
  subsidizedUsd: z.bigint().transform(toUsd),
  createdAt: z.int(),
  deadline: z.int(),
}

const [user, solver] = executions

const storedRequest: z.ZodType<StoredRequest> = z.discriminatedUnion('execution', [
  z.object({ ...shared, execution: z.literal(user) }),
  z.object({
    ...shared,
    execution: z.literal(solver),
    orderId: hash,
    order: protocolOrder,
    depositCurrency: address,
    depositAmount: amount,
  }),
])
