import { z } from 'zod'
import {
  encodeLegacyStatus,
  encodeStatus,
  legacyStatusBody,
  statusBody,
} from '#src/gateway/rest/bodies/statusBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { hashField } from '#src/operations/input/inputFields.ts'

const input = z.strictObject({
  requestId: hashField.describe('The `requestId` of the quote’s steps: 32 bytes.'),
  referrer: referrerParameter,
})

/** An id for the examples of the document. No request has it: ids are random. */
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
  summary: 'Status of a request',
  description:
    'The status of a quote’s request and the hashes of its transactions. To follow a request, subscribe over /ws or /graphql instead of polling: both send every change.',
  body: statusBody,
  answer: async ({ requestId }, { operations, loaders }) =>
    encodeStatus(await operations.requestStatus(requestId, loaders)),
})

const legacyStatusRoute = (path: string, operation: string) =>
  restRoute({
    ...shared,
    path,
    operation,
    summary: 'Status of a request, for older clients',
    description: 'The answer of /intents/status/v3 in its older form.',
    body: legacyStatusBody,
    answer: async ({ requestId }, { operations, loaders }) =>
      encodeLegacyStatus(await operations.requestStatus(requestId, loaders)),
  })

export const legacyStatusRoutes = [
  legacyStatusRoute('/intents/status/v2', 'requestStatusV2'),
  legacyStatusRoute('/intents/status', 'requestStatusV1'),
]
