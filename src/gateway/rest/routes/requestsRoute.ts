import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeRequest, requestBody } from '#src/gateway/rest/bodies/requestBody.ts'
import { legacyStatuses } from '#src/gateway/rest/bodies/statusBody.ts'
import {
  booleanParameter,
  chainIdParameter,
  continuationParameter,
  limitParameter,
  parameterText,
  secondsParameter,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { RequestFilter } from '#src/requests/requestList.ts'
import type { RequestStatus } from '#src/requests/state/requestState.ts'
import { shownDepositAddress } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { accountField, hashField } from '#src/service/input/inputFields.ts'
import { publicOrderData, publicOrderId } from '#src/service/requests/publicOrder.ts'

const defaultLimit = 20

const inputSchema = z.strictObject({
  user: accountField
    .optional()
    .describe(
      'Only requests with this account as user, recipient or deposit address. For multi-input quotes: the root `user`.',
    ),
  depositAddress: accountField
    .optional()
    .describe(
      'Only the request with this deposit address. With `includeChildRequests` also the requests of payments to it, if it is open.',
    ),
  includeChildRequests: booleanParameter().describe(
    'Has an effect only with the `id` or `depositAddress` of an open deposit address. true: the requests of its payments are listed too, and the default of `status` is every status. Default: false.',
  ),
  hash: hashField
    .optional()
    .describe('Only requests with this transaction of the user, or payment.'),
  orderId: hashField
    .optional()
    .describe('Only the request with this order. No result until a deposit is found.'),
  originChainId: chainIdParameter
    .optional()
    .describe(
      'Only requests that the user pays on this chain. For multi-input quotes: the chain of the first input.',
    ),
  destinationChainId: chainIdParameter
    .optional()
    .describe('Only requests whose recipient is paid on this chain.'),
  chainId: chainIdParameter
    .optional()
    .describe(
      'Only requests from or to this chain. Ignored with `originChainId` or `destinationChainId`.',
    ),
  startTimestamp: secondsParameter.describe(
    'Only requests quoted at this time or later, in seconds since 1970.',
  ),
  endTimestamp: secondsParameter.describe(
    'Only requests quoted at this time or earlier, in seconds since 1970.',
  ),
  id: hashField
    .optional()
    .describe('Only the request with this `requestId`. The other filters apply too.'),
  status: z
    .enum(legacyStatuses, `One of ${legacyStatuses.join(', ')}`)
    .optional()
    .describe(
      'Only requests with this status; `pending` includes `submitted`. Default: all but `waiting` (quotes without a deposit). With `id` the default is every status.',
    ),
  includeOrderData: booleanParameter().describe(
    'Whether each request has its `orderData`. Default: false.',
  ),
  sortBy: z
    .literal('createdAt', 'Requests are sorted by createdAt only')
    .optional()
    .describe('The time of the quote.'),
  sortDirection: z
    .enum(['asc', 'desc'], 'One of asc, desc')
    .optional()
    .describe('`desc`: newest first. `asc`: oldest first. Default: `desc`.'),
  limit: limitParameter(defaultLimit),
  continuation: continuationParameter,
  referrer: parameterText()
    .max(128, 'At most 128 characters')
    .optional()
    .describe('Only requests that were quoted with this `referrer`. At most 128 characters.'),
})

type Input = z.output<typeof inputSchema>

const requestsBody = component(
  'Requests',
  z
    .object({
      requests: z.array(requestBody).describe('The page, in the order of `sortDirection`.'),
      continuation: z
        .string()
        .optional()
        .describe(
          'Cursor of the next page; absent on the last page. Where many other requests do not match, a page may have fewer requests than `limit`, or none, and a cursor.',
        ),
    })
    .describe('A page of requests.'),
)

export const requestsRoute = restRoute({
  path: '/requests/v2',
  method: 'GET',
  operation: 'requests',
  summary: 'List requests',
  description:
    'Requests of one user or of all users with their transactions, newest first unless `sortDirection` is `asc`.',
  input: inputSchema,
  body: requestsBody,
  takesApiKey: false,
  units: () => units.list,
  example: () => ({ limit: 5 }),
  async answer(input, context) {
    const { requests, next } = await pageOf(input, context)
    const bodies = requests.map(async (each) => ({
      ...(await encodeRequest(each, context)),
      ...(input.includeOrderData === true && { orderData: publicOrderData(each) }),
    }))
    return { requests: await Promise.all(bodies), continuation: next }
  },
})

type Page = Readonly<{ requests: readonly RequestAnswer[]; next: string | undefined }>

async function pageOf(input: Input, { operations, loaders }: RequestContext): Promise<Page> {
  const { id, status, includeChildRequests } = input
  const filter = filterOf(input)
  const isFamily = includeChildRequests === true
  if (isFamily && (id !== undefined || input.depositAddress !== undefined))
    return operations.requests({
      ...filter,
      ...(id !== undefined && { family: id }),
      ...(status !== undefined && { statuses: statusesOf(status) }),
    })
  if (id === undefined) return operations.requests({ ...filter, statuses: statusesOf(status) })
  const found = await operations.requestStatus(id, loaders).catch(undefinedIfUnknown)
  const wanted = status === undefined ? filter : { ...filter, statuses: statusesOf(status) }
  return { requests: found && fits(found, wanted) ? [found] : [], next: undefined }
}

function filterOf(input: Input): RequestFilter {
  const { user, hash, orderId, originChainId, destinationChainId, chainId, referrer } = input
  const { startTimestamp, endTimestamp, sortDirection, continuation, depositAddress } = input
  const isOneWay = originChainId !== undefined || destinationChainId !== undefined
  return {
    ...(user !== undefined && { account: user }),
    ...(hash !== undefined && { txHash: hash }),
    ...(orderId !== undefined && { orderId }),
    ...(originChainId !== undefined && { originChainId }),
    ...(destinationChainId !== undefined && { destinationChainId }),
    ...(chainId !== undefined && !isOneWay && { chainId }),
    ...(referrer !== undefined && { referrer }),
    ...(depositAddress !== undefined && {
      depositAddress,
      withoutChildren: input.includeChildRequests !== true,
    }),
    ...(startTimestamp !== undefined && { createdFrom: startTimestamp * 1000 }),
    // Includes the whole second.
    ...(endTimestamp !== undefined && { createdUntil: endTimestamp * 1000 + 999 }),
    ...(continuation !== undefined && { after: continuation }),
    ...(sortDirection === 'asc' && { order: 'oldest' }),
    first: input.limit ?? defaultLimit,
  }
}

/** Whether a request that is found by its id passes the other filters. */
function fits(answer: RequestAnswer, wanted: RequestFilter): boolean {
  const { request, state } = answer
  const { originChainId, destinationChainId } = request
  const isOne = <Value>(asked: Value | undefined, values: readonly unknown[]) =>
    asked === undefined || values.includes(asked)
  const address = shownDepositAddress(request)?.address
  return (
    isOne(wanted.account, [request.user, request.recipient, address]) &&
    isOne(wanted.depositAddress, [address]) &&
    isOne(wanted.txHash, [...state.inTxHashes, ...state.txHashes]) &&
    isOne(wanted.orderId, [publicOrderId(answer)]) &&
    isOne(wanted.originChainId, [originChainId]) &&
    isOne(wanted.destinationChainId, [destinationChainId]) &&
    isOne(wanted.chainId, [originChainId, destinationChainId]) &&
    isOne(wanted.referrer, [request.referrer]) &&
    request.createdAt >= (wanted.createdFrom ?? 0) &&
    request.createdAt <= (wanted.createdUntil ?? request.createdAt) &&
    (wanted.statuses?.includes(state.status) ?? true)
  )
}

const withDeposit = ['depositing', 'pending', 'submitted', 'success', 'failure', 'refund'] as const

export function statusesOf(status: Input['status']): readonly RequestStatus[] {
  if (status === undefined) return withDeposit
  return status === 'pending' ? ['pending', 'submitted'] : [status]
}

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'UNKNOWN_REQUEST') return undefined
  throw error
}
