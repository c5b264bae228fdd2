import { z } from 'zod'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { hashText } from '#src/gateway/rest/bodies/texts.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { hashField } from '#src/operations/input/inputFields.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import { statusUpdate } from '#src/operations/requests/statusUpdate.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'

/** Of the reference service before it knew `submitted`. */
export const olderStatuses = [
  'waiting',
  'depositing',
  'pending',
  'success',
  'failure',
  'refund',
] as const

const statuses = [...olderStatuses, 'submitted'] as const satisfies readonly RequestStatus[]

const milliseconds = z.int().min(0)

/** What clients of the reference service look for where there is no reason. */
export const none = 'N/A'

export const reasonText = z.string().regex(/^(N\/A|[A-Z_]+)$/)

const fields = {
  details: z
    .string()
    .optional()
    .describe(
      'What went otherwise than quoted, and where the money is, for people; absent where all goes well.',
    ),
  inTxHashes: z
    .array(hashText)
    .describe('What the user sent: deposits, or the swap where the user swaps alone.'),
  txHashes: z
    .array(hashText)
    .describe('What paid: the fill, the refund, or the swap where the user swaps alone.'),
  updatedAt: milliseconds.describe('When it last changed, in milliseconds since 1970.'),
  originChainId: z.int().positive().describe('The chain that it pays in on.'),
  destinationChainId: z.int().positive().describe('The chain that it pays out on.'),
  quoteCreatedAt: milliseconds.describe('When it was quoted, in milliseconds since 1970.'),
  failReason: reasonText.describe(
    'Why it was or will not be filled; "N/A" unless set. Codes may be added.',
  ),
  refundFailReason: reasonText.describe(
    'Why it could not be paid back either; "N/A" unless set. Codes may be added.',
  ),
}

const statusBody = component(
  'RequestStatusV3',
  z
    .object({
      status: z
        .enum(statuses)
        .describe(
          'How it stands: `waiting` for a deposit; `depositing` on the user’s behalf; `pending`: the deposit counts; `submitted`: the payment is sent. Then nothing changes any more: `success`, `refund`, or `failure` where neither was possible.',
        ),
      ...fields,
    })
    .describe('How a request stands.'),
)

const olderStatusBody = component(
  'RequestStatusV2',
  z
    .object({
      status: z
        .enum(olderStatuses)
        .describe('How it stands; `submitted` is not told apart from `pending`.'),
      ...fields,
      time: milliseconds.describe('The older name of `updatedAt`.'),
    })
    .describe('How a request stands, as older clients know it.'),
)

const input = z.strictObject({
  requestId: hashField.describe('The request, as the steps of a quote name it.'),
  referrer: referrerParameter,
})

/** A request of nobody’s: what is quoted has ids that cannot be told beforehand. */
export const exampleRequestId = `0x${'cd'.repeat(32)}`

const shared = {
  method: 'GET',
  input,
  takesApiKey: false,
  mayNotFind: true,
  example: () => ({ requestId: exampleRequestId }),
} as const

export const statusRoute = restRoute({
  ...shared,
  path: '/intents/status/v3',
  operation: 'requestStatus',
  summary: 'How a request stands',
  description:
    'The status of a quote’s request, and the transactions that were seen of it. Where more than one look is needed, /ws tells every change, as do the subscriptions of /graphql.',
  body: statusBody,
  async answer({ requestId }, { operations, loaders }) {
    const answer = await operations.requestStatus(requestId, loaders)
    return { status: answer.state.status, ...encodeFields(answer) }
  },
})

const olderStatusRoute = (path: string, operation: string) =>
  restRoute({
    ...shared,
    path,
    operation,
    summary: 'The same, for older clients',
    description: 'What /intents/status/v3 gives, in the words that clients knew before it.',
    body: olderStatusBody,
    async answer({ requestId }, { operations, loaders }) {
      const answer = await operations.requestStatus(requestId, loaders)
      const { status, updatedAt } = answer.state
      return { status: olderStatus(status), ...encodeFields(answer), time: updatedAt }
    },
  })

export const olderStatusRoutes = [
  olderStatusRoute('/intents/status/v2', 'requestStatusV2'),
  olderStatusRoute('/intents/status', 'requestStatusV1'),
]

export const olderStatus = (status: RequestStatus): (typeof olderStatuses)[number] =>
  status === 'submitted' ? 'pending' : status

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
