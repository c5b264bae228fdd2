import type { Hash } from 'viem'
import { z } from 'zod'
import {
  type FailReason,
  failReasons,
  type RefundFailReason,
  type RequestStatus,
  refundFailReasons,
  requestStatuses,
} from '#src/requests/state/requestState.ts'
import { UpstreamAnswerError } from './upstreamErrors.ts'

/** Status of a request at another service: the fields of /intents/status/v3 that are used. */
export type UpstreamStatus = Readonly<{
  status: RequestStatus
  failReason: FailReason | undefined
  refundFailReason: RefundFailReason | undefined
  inTxHashes: readonly Hash[]
  txHashes: readonly Hash[]
}>

const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hash)

const hashes = z.array(hash).max(64).default([])

/** Unknown reasons become `UNKNOWN`. */
const reason = z
  .string()
  .nullish()
  .transform((text): FailReason | undefined => {
    if (text == null || text === '' || text === 'N/A') return undefined
    return failReasons.find((each) => each === text) ?? 'UNKNOWN'
  })

const refundReason = z
  .string()
  .nullish()
  .transform((text) => refundFailReasons.find((each) => each === text))

const statusAnswer: z.ZodType<UpstreamStatus> = z.object({
  status: z.enum(requestStatuses),
  failReason: reason,
  refundFailReason: refundReason,
  inTxHashes: hashes,
  txHashes: hashes,
})

/** @throws UpstreamAnswerError that names the first wrong field. */
export function parseStatus(json: unknown): UpstreamStatus {
  const parsed = statusAnswer.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UpstreamAnswerError(`its status has a wrong ${issue?.path.join('.') || 'shape'}`)
}
