import { z } from 'zod'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { RequestStatus } from '#src/requests/state/requestState.ts'
import { statusUpdate } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import type { RelayedCallAnswer } from '#src/service/relayedCalls/relayedCalls.ts'
import { component, txIdText } from './bodySchema.ts'
import { encodePayments, paidFields } from './paidBody.ts'

/** The statuses of /intents/status/v2 and older, which do not have `submitted`. */
export const legacyStatuses = [
  'waiting',
  'depositing',
  'pending',
  'success',
  'failure',
  'refund',
] as const

const statuses = [...legacyStatuses, 'submitted'] as const satisfies readonly RequestStatus[]

export const toLegacyStatus = (status: RequestStatus): (typeof legacyStatuses)[number] =>
  status === 'submitted' ? 'pending' : status

/** REST clients expect this text if there is no reason. */
export const noReason = 'N/A'

const reasonText = z.string().regex(/^(N\/A|[A-Z_]+)$/)

/** The reasons. Requests in lists have them too. */
export const reasonFields = {
  failReason: reasonText.describe(
    'Code of the reason why the request is not filled, or is filled without the calls of its order; "N/A" if there is none. New codes may be added.',
  ),
  refundFailReason: reasonText.describe(
    'Code of the reason why the deposit could not be refunded; "N/A" if there is none. New codes may be added.',
  ),
}

const milliseconds = z.int().min(0)

const fields = {
  details: z
    .string()
    .optional()
    .describe(
      'For people: the difference from the quote, and the place of the funds. Absent if everything goes as quoted.',
    ),
  inTxHashes: z
    .array(txIdText)
    .describe('Hashes of the user’s transactions: the deposits, or the user’s own swap.'),
  txHashes: z
    .array(txIdText)
    .describe('Hashes of the payments: the fill, the refund, or the user’s own swap.'),
  updatedAt: milliseconds.describe('Time of the last change, in milliseconds since 1970.'),
  originChainId: z.int().positive().describe('EIP-155 id of the chain that the user pays on.'),
  destinationChainId: z
    .int()
    .positive()
    .describe('EIP-155 id of the chain that the recipient is paid on.'),
  quoteCreatedAt: milliseconds.describe('Time of the quote, in milliseconds since 1970.'),
  ...reasonFields,
}

export const statusBody = component(
  'RequestStatusV3',
  z
    .object({
      status: z
        .enum(statuses)
        .describe(
          '`waiting`: no deposit is confirmed. `depositing`: some deposits of a multi-input quote are confirmed. `pending`: the deposit is confirmed. `submitted`: the fill is sent. `success`, `refund` and `failure` (neither filled nor refunded) are terminal.',
        ),
      ...fields,
      ...paidFields,
    })
    .describe('The state of a request.'),
)

export const legacyStatusBody = component(
  'RequestStatusV2',
  z
    .object({
      status: z
        .enum(legacyStatuses)
        .describe('As in /intents/status/v3, but with `pending` instead of `submitted`.'),
      ...fields,
      time: milliseconds.describe('The older name of `updatedAt`.'),
    })
    .describe('The state of a request, for older clients.'),
)

/** The fields that both versions share. */
function encodeFields({ request, state }: RequestAnswer) {
  const { details, inTxHashes, txHashes, ...update } = statusUpdate(request, state)
  return {
    details: details ?? undefined,
    inTxHashes: [...inTxHashes],
    txHashes: [...txHashes],
    updatedAt: update.updatedAt,
    originChainId: update.originChainId,
    destinationChainId: update.destinationChainId,
    quoteCreatedAt: request.createdAt,
    failReason: update.failReason,
    refundFailReason: update.refundFailReason,
  }
}

export const encodeStatus = async (
  answer: RequestAnswer,
  context: RequestContext,
): Promise<z.input<typeof statusBody>> => ({
  status: answer.state.status,
  ...encodeFields(answer),
  ...(await encodePayments(answer, context)),
})

export const encodeLegacyStatus = (answer: RequestAnswer): z.input<typeof legacyStatusBody> => ({
  status: toLegacyStatus(answer.state.status),
  ...encodeFields(answer),
  time: answer.state.updatedAt,
})

const callStatuses = {
  queued: 'pending',
  sent: 'submitted',
  succeeded: 'success',
  failed: 'failure',
} as const satisfies Record<RelayedCallAnswer['status'], string>

/** The status of a call that deposits for no quote, in the form of a request's status. */
export function encodeCallStatus({
  status,
  chainId,
  reason,
  failReason,
  txHash,
  createdAt,
  updatedAt,
}: RelayedCallAnswer): z.input<typeof statusBody> {
  const hashes = txHash === undefined ? [] : [txHash]
  return {
    status: callStatuses[status],
    ...(reason !== undefined && { details: `Transaction failed: ${reason}.` }),
    inTxHashes: hashes,
    txHashes: hashes,
    updatedAt,
    originChainId: chainId,
    destinationChainId: chainId,
    quoteCreatedAt: createdAt,
    failReason: failReason ?? noReason,
    refundFailReason: noReason,
  }
}
