import { z } from 'zod'
import {
  failReasons,
  type InputState,
  type Progress,
  type RequestState,
  refundFailReasons,
  requestStatuses,
} from './requestState.ts'
import { address, bigint, chainId, hash, jsonAmount } from './valueSchemas.ts'

/** The stored form of a state. In it, `inputStates` is named `fundings`, for old rows. */
export const encodeState = ({ inputStates, ...state }: RequestState) => ({
  ...state,
  fundings: inputStates,
})

/** @throws ZodError for invalid JSON. */
export const parseState = (json: unknown): RequestState => requestState.parse(json)

const payment = z.object({
  recipient: address,
  currency: address,
  amount: jsonAmount,
  topup: jsonAmount.exactOptional(),
  claimable: jsonAmount.exactOptional(),
})

const transaction = z.object({
  chainId,
  hash,
  block: z.object({ number: bigint, hash, timestamp: z.int().exactOptional() }).exactOptional(),
  paid: payment.exactOptional(),
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
    inTxHashes: z.array(hash),
    txHashes: z.array(hash),
    steps: z.array(z.array(progress)),
    fill: progress.exactOptional(),
    fundings: z.array(inputState),
    refunds: z.array(progress).exactOptional(),
    supersededBy: hash.exactOptional(),
    updatedAt: z.int(),
  })
  .transform(({ fundings, ...state }) => ({ ...state, inputStates: fundings }))
