import { z } from 'zod'
import { AppError } from '#src/errors.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeRequest, requestBody } from '#src/gateway/rest/bodies/requestBody.ts'
import { legacyStatuses } from '#src/gateway/rest/bodies/statusBody.ts'
import { parameterText, referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { addressField, hashField } from '#src/operations/input/inputFields.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'

const defaultLimit = 20

const inputSchema = z.strictObject({
  user: addressField
    .optional()
    .describe('Only requests of this user. For multi-input quotes: the root `user`.'),
  id: hashField
    .optional()
    .describe('Only the request with this `requestId`. The other filters apply too.'),
  status: z
    .enum(legacyStatuses, `One of ${legacyStatuses.join(', ')}`)
    .optional()
    .describe(
      'Only requests with this status; `pending` includes `submitted`. Default: all but `waiting` (quotes without a deposit). With `id` the default is every status.',
    ),
  limit: parameterText()
    .transform((text) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN))
    .pipe(z.int('Must be an integer').min(1, 'At least 1').max(100, 'At most 100'))
    .optional()
    .describe(`Most results, 1 to 100. Default: ${defaultLimit}.`)
    .meta({ type: 'integer', minimum: 1, maximum: 100 }),
  continuation: parameterText()
    .max(512, 'At most 512 characters')
    .optional()
    .describe(
      'The `continuation` of the previous page. Send it with the same filters. At most 512 characters.',
    ),
  referrer: referrerParameter,
})

type Input = z.output<typeof inputSchema>

const requestsBody = component(
  'Requests',
  z
    .object({
      requests: z.array(requestBody).describe('The page, newest request first.'),
      continuation: z
        .string()
        .optional()
        .describe('Cursor of the next page; absent on the last page.'),
    })
    .describe('A page of requests.'),
)

export const requestsRoute = restRoute({
  path: '/requests/v2',
  method: 'GET',
  operation: 'requests',
  summary: 'List requests',
  description: 'Requests of one user or of all users with their transactions, newest first.',
  input: inputSchema,
  body: requestsBody,
  takesApiKey: false,
  example: () => ({ limit: 5 }),
  async answer(input, context) {
    const { requests, next } = await pageOf(input, context)
    const bodies = await Promise.all(requests.map((each) => encodeRequest(each, context)))
    return { requests: bodies, continuation: next }
  },
})

type Page = Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>

async function pageOf(input: Input, { operations, loaders }: RequestContext): Promise<Page> {
  const { user, id, status, limit = defaultLimit, continuation } = input
  if (id !== undefined) {
    const found = await operations.requestStatus(id, loaders).catch(undefinedIfUnknown)
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

const withDeposit = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund'] as const

function statusesOf(status: Input['status']): readonly RequestStatus[] {
  if (status === undefined) return withDeposit
  return status === 'pending' ? ['pending', 'submitted'] : [status]
}

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'UNKNOWN_REQUEST') return undefined
  throw error
}
