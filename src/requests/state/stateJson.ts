import { z } from 'zod'
import { toAccount } from '#src/core/units/account.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toBlockHash, toTxId } from '#src/core/units/txId.ts'
import {
  failReasons,
  type InputState,
  type Progress,
  type RequestState,
  refundFailReasons,
  requestStatuses,
} from './requestState.ts'

export const hex = z.custom<`0x${string}`>((value) => /^0x([0-9a-f]{2})*$/i.test(String(value)))

export const hash = z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value)))

export const txId = z.string().transform(toTxId)

export const blockHash = z.string().transform(toBlockHash)

/** Of what exists on EVM chains only. */
export const address = z.string().transform(toAddress)

export const account = z.string().transform(toAccount)

export const chainId = z.number().transform(toChainId)

/** From a numeric column. */
export const amount = z.bigint().transform(toAmount)

/** From JSON. */
export const bigint = z
  .string()
  .regex(/^-?[0-9]{1,78}$/)
  .transform(BigInt)

/** From JSON. */
export const jsonAmount = bigint.transform(toAmount)

/** A row without its nulls, which stand for absent properties. */
export const presentIn = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** The stored form of a state. In it, `inputStates` is named `fundings`, for old rows. */
export const encodeState = ({ inputStates, ...state }: RequestState) => ({
  ...state,
  fundings: inputStates,
})

/** @throws ZodError for invalid JSON. */
export const parseState = (json: unknown): RequestState => requestState.parse(json)

const payment = z.object({
  recipient: account,
  currency: account,
  amount: jsonAmount,
  topup: jsonAmount.exactOptional(),
  claimable: jsonAmount.exactOptional(),
})

const transaction = z.object({
  chainId,
  hash: txId,
  block: z
    .object({ number: bigint, hash: blockHash, timestamp: z.int().exactOptional() })
    .exactOptional(),
  paid: payment.exactOptional(),
  appFees: z.array(payment.pick({ recipient: true, amount: true })).exactOptional(),
})

const progress: z.ZodType<Progress> = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['waiting', 'signed', 'implied', 'skipped']) }),
  z.object({ status: z.enum(['sent', 'seen', 'confirmed', 'reverted']), transaction }),
])

const inputState: z.ZodType<InputState> = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['open', 'missed']) }),
  z.object({
    status: z.literal('funded'),
    depositId: z.string(),
    isIncomplete: z.literal(true).exactOptional(),
  }),
])

const requestState: z.ZodType<RequestState> = z
  .object({
    status: z.enum(requestStatuses),
    seq: z.int().min(0),
    isSigned: z.literal(true).exactOptional(),
    isSubmitted: z.literal(true).exactOptional(),
    failReason: z.enum(failReasons).exactOptional(),
    refusedDeposit: z.enum(failReasons).exactOptional(),
    refundFailReason: z.enum(refundFailReasons).exactOptional(),
    inTxHashes: z.array(txId),
    txHashes: z.array(txId),
    steps: z.array(z.array(progress)),
    fill: progress.exactOptional(),
    fundings: z.array(inputState),
    refunds: z.array(progress).exactOptional(),
    supersededBy: hash.exactOptional(),
    updatedAt: z.int(),
  })
  .transform(({ fundings, ...state }) => ({ ...state, inputStates: fundings }))
