import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import {
  encodeCallStatus,
  encodeLegacyStatus,
  encodeStatus,
  legacyStatusBody,
  statusBody,
} from '#src/gateway/rest/bodies/statusBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { hashField } from '#src/service/input/inputFields.ts'

const input = z.strictObject({
  requestId: hashField.describe('The `requestId` of the quote’s steps: 32 bytes.'),
  referrer: referrerParameter,
})

/** An id for the examples of the document. No request has it, because ids are random. */
export const exampleRequestId = `0x${'cd'.repeat(32)}`

const shared = {
  method: 'GET',
  input,
  takesApiKey: false,
  mayNotFind: true,
  example: () => ({ requestId: exampleRequestId }),
} as const

/**
 * The payer of an open deposit address knows only the request of the address. Its status is that of its newest payment.
 */
async function shownStatus(
  requestId: `0x${string}`,
  { operations, loaders }: RequestContext,
): Promise<RequestAnswer> {
  const answer = await operations.requestStatus(requestId, loaders)
  const { supersededBy } = answer.state
  return supersededBy === undefined ? answer : operations.requestStatus(supersededBy, loaders)
}

export const statusRoute = restRoute({
  ...shared,
  path: '/intents/status/v3',
  operation: 'requestStatus',
  summary: 'Status of a request',
  description:
    'The status of a quote’s request, or of a call of /execute without one, and the hashes of its transactions. To follow a request, subscribe over /ws or /graphql instead of polling: both send every change. For an open deposit address, it is the status of its newest payment.',
  body: statusBody,
  answer: async ({ requestId }, context) => {
    try {
      return await encodeStatus(await shownStatus(requestId, context), context)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'UNKNOWN_REQUEST')) throw error
      // The id of a call that deposits for no quote.
      const call = (await context.operations.relayedCalls(requestId)).at(-1)
      if (call === undefined) throw error
      return encodeCallStatus(call)
    }
  },
})

const legacyStatusRoute = (path: string, operation: string) =>
  restRoute({
    ...shared,
    path,
    operation,
    summary: 'Status of a request, for older clients',
    description: 'The answer of /intents/status/v3 in its older form.',
    body: legacyStatusBody,
    answer: async ({ requestId }, context) =>
      encodeLegacyStatus(await shownStatus(requestId, context)),
  })

export const legacyStatusRoutes = [
  legacyStatusRoute('/intents/status/v2', 'requestStatusV2'),
  legacyStatusRoute('/intents/status', 'requestStatusV1'),
]
