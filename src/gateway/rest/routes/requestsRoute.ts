import { z } from 'zod'
import { AppError } from '#src/errors.ts'
import type { Context } from '#src/gateway/requestContext.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeRequest, requestBody } from '#src/gateway/rest/bodies/requestBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField, hashField, textField } from '#src/operations/input/inputFields.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'
import { olderStatuses } from './statusRoutes.ts'

const usualLimit = 20

const input = z.strictObject({
  user: addressField.optional().describe('Only requests of this user.'),
  id: hashField
    .optional()
    .describe('Only the request with this `requestId`; the other filters hold as well.'),
  status: z
    .enum(olderStatuses, `One of ${olderStatuses.join(', ')}`)
    .optional()
    .describe(
      'Only requests that stand so; `pending` are `submitted` ones as well. Default: all but `waiting`, which are quotes that nobody has paid in for, unless an `id` is given.',
    ),
  limit: textField('Give it once')
    .transform((text) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN))
    .pipe(z.int('An integer').min(1, 'At least 1').max(100, 'At most 100'))
    .optional()
    .describe(`How many at the most, 1 to 100. Default: ${usualLimit}.`)
    .meta({ type: 'integer', minimum: 1, maximum: 100 }),
  continuation: textField('Give it once')
    .max(512, 'At most 512 characters')
    .optional()
    .describe('What the page before gave: the next page. The filters stay as they were.'),
  referrer: referrerParameter,
})

type Wanted = z.output<typeof input>

const requestsBody = component(
  'Requests',
  z
    .object({
      requests: z.array(requestBody).describe('Newest first.'),
      continuation: z.string().optional().describe('Gets the next page; absent on the last.'),
    })
    .describe('A page of requests.'),
)

export const requestsRoute = restRoute({
  path: '/requests/v2',
  method: 'GET',
  operation: 'requests',
  summary: 'Requests so far',
  description:
    'The history of a user, or of all: what was paid in for, newest first, with its transactions.',
  input,
  body: requestsBody,
  takesApiKey: false,
  example: () => ({ limit: 5 }),
  async answer(wanted, context) {
    const { requests, next } = await pageOf(wanted, context)
    const bodies = await Promise.all(requests.map((each) => encodeRequest(each, context)))
    return { requests: bodies, continuation: next }
  },
})

type Page = Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>

async function pageOf(wanted: Wanted, { operations, loaders }: Context): Promise<Page> {
  const { user, id, status, limit = usualLimit, continuation } = wanted
  if (id !== undefined) {
    const found = await operations.requestStatus(id, loaders).catch(unlessUnknown)
    const fits =
      found !== undefined &&
      (user ?? found.request.user) === found.request.user &&
      (status === undefined || statusesOf(status).includes(found.state.status))
    return { requests: fits ? [found] : [], next: undefined }
  }
  return operations.requests({
    statuses: statusesOf(status),
    first: limit,
    ...(user && { user }),
    ...(continuation !== undefined && { after: continuation }),
  })
}

const executed = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund'] as const

function statusesOf(status: Wanted['status']): readonly RequestStatus[] {
  if (status === undefined) return executed
  return status === 'pending' ? ['pending', 'submitted'] : [status]
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'UNKNOWN_REQUEST') return undefined
  throw error
}
