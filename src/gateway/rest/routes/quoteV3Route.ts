import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'

/**
 * Relay has published the request of its newest quote, but not the body of its answer. Once it does, this file becomes
 * the codec between that body and the operation `quote`. @source docs/protocol.md §10
 */
export const quoteV3Route = restRoute({
  path: '/quote/v3',
  method: 'POST',
  operation: 'quoteV3',
  summary: 'Not served yet',
  description: 'Refused with UNSUPPORTED_ENDPOINT.',
  input: z.looseObject({}),
  body: z.never(),
  takesApiKey: false,
  example: () => undefined,
  answer: () => {
    throw new AppError(
      'UNSUPPORTED_ENDPOINT',
      'POST /quote/v3 is not served: the shape of its answer is not public yet. Send the same body to POST /quote/v2.',
      { successor: '/quote/v2' },
    )
  },
})
