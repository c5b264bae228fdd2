import { z } from 'zod'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { toAddress } from '#src/core/units/address.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeRequestV3, requestV3Body } from '#src/gateway/rest/bodies/requestV3Body.ts'
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
import { maxCountedRequests } from '#src/service/answers.ts'
import { accountField, hashField } from '#src/service/input/inputFields.ts'
import { statusesOf } from './requestsRoute.ts'

const defaultLimit = 20
const unserved = { code: 'UNSUPPORTED_PARAMETER' satisfies ErrorCode }

/** A parameter of Relay's that the store cannot answer. */
const unservedParameter = parameterText()
  .refine(() => false, { error: 'This gateway does not serve this parameter', params: unserved })
  .optional()
  .describe('Not served: refused with UNSUPPORTED_PARAMETER.')

const unservedParameters = {
  privateChainsToInclude: unservedParameter,
  requestType: unservedParameter,
  currencyInSymbol: unservedParameter,
  currencyOutSymbol: unservedParameter,
  startBlock: unservedParameter,
  endBlock: unservedParameter,
  amountUsdMin: unservedParameter,
  amountUsdMax: unservedParameter,
  appFeesAmountUsdMin: unservedParameter,
  appFeesAmountUsdMax: unservedParameter,
  fillTimeMin: unservedParameter,
  fillTimeMax: unservedParameter,
  features: unservedParameter,
  filters: unservedParameter,
}

const hash = hashField.optional()
const address = accountField.optional()
const chainId = chainIdParameter.optional()
const reason = parameterText()
  .regex(/^[A-Z_]{1,64}$/, 'A reason has capital letters and underscores')
  .optional()

const inputSchema = z
  .strictObject({
    limit: limitParameter(defaultLimit, 50),
    continuation: continuationParameter,
    includeTotal: booleanParameter().describe(
      `Whether the answer has \`total\`. Only the first ${maxCountedRequests.toLocaleString('en')} requests are read for it. Default: false.`,
    ),
    term: parameterText()
      .regex(/^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'Must be an address or 32 bytes')
      .transform((text) => text.toLowerCase() as `0x${string}`)
      .optional()
      .describe(
        'A request id, the hash of a deposit, fill or refund, a payer, a recipient or a deposit address.',
      ),
    id: hash.describe('Only the request with this `requestId`.'),
    orderId: hash.describe('Only the request with this order. No result until a deposit is found.'),
    depositTxHash: hash.describe('Only requests with this transaction of the user.'),
    fillTxHash: hash.describe('Only requests with this fill.'),
    refundTxHash: hash.describe('Only requests with this refund.'),
    originChainId: chainId.describe(
      'Only requests that the user pays on this chain; of several inputs the first counts.',
    ),
    destinationChainId: chainId.describe('Only requests whose recipient is paid on this chain.'),
    chainId: chainId.describe(
      'Only requests from or to this chain. Ignored with `originChainId` or `destinationChainId`.',
    ),
    user: address.describe('Only requests that this account pays.'),
    recipient: address.describe('Only requests that pay this account.'),
    depositAddress: address.describe('Only the requests that pay this deposit address.'),
    status: z
      .enum(
        ['success', 'failure', 'refund', 'pending', 'depositing'],
        'One of success, failure, refund, pending, depositing',
      )
      .optional()
      .describe(
        'Only requests with this status; `pending` includes `submitted`. Default: all but `waiting` (quotes without a deposit). With `id` the default is every status.',
      ),
    failReason: reason.describe('Only requests with this `failReason`.'),
    refundFailReason: reason.describe('Only requests with this `refundFailReason`.'),
    apiKey: parameterText()
      .max(512, 'At most 512 characters')
      .optional()
      .describe('Only requests that were quoted with this API key: that of the header.'),
    referrer: parameterText()
      .min(1, 'Must not be empty')
      .max(128, 'At most 128 characters')
      .optional()
      .describe('Only requests that were quoted with this `referrer`. Needs `apiKey`.'),
    currencyInChainId: chainId.describe('The same as `originChainId`.'),
    currencyOutChainId: chainId.describe('The same as `destinationChainId`.'),
    currencyInAddress: address.describe(
      'Only requests that the user pays in this currency; of several inputs the first counts.',
    ),
    currencyOutAddress: address.describe('Only requests whose recipient gets this currency.'),
    startTimestamp: secondsParameter.describe(
      'Only requests quoted at this time or later, in seconds since 1970.',
    ),
    endTimestamp: secondsParameter.describe(
      'Only requests quoted at this time or earlier, in seconds since 1970.',
    ),
    includeChildRequests: booleanParameter().describe(
      'Has an effect only with the `id` of an open deposit address. true: the requests of its payments are listed too. Default: false.',
    ),
    includeAuthenticatedData: booleanParameter().describe(
      'Whether requests that were quoted with the API key of the header have `referrer`, `platformFee` and `apiKeyName`. Default: false.',
    ),
    sortBy: z
      .enum(['createdAt', 'updatedAt', 'amountUsd'], 'One of createdAt, updatedAt, amountUsd')
      .refine((field) => field === 'createdAt', {
        error: 'This gateway sorts by createdAt only',
        params: unserved,
      })
      .optional()
      .describe(
        '`createdAt`: the time of the quote. Others are refused with UNSUPPORTED_PARAMETER.',
      ),
    sortDirection: z
      .enum(['asc', 'desc'], 'One of asc, desc')
      .optional()
      .describe('`desc`: newest first. `asc`: oldest first. Default: `desc`.'),
    ...unservedParameters,
  })
  .refine(({ referrer, apiKey }) => referrer === undefined || apiKey !== undefined, {
    path: ['referrer'],
    error: 'Needs apiKey',
  })

type Input = z.output<typeof inputSchema>

const requestsV3Body = component(
  'RequestsV3',
  z
    .object({
      requests: z.array(requestV3Body).describe('The page, in the order of `sortDirection`.'),
      continuation: z
        .string()
        .optional()
        .describe(
          'Cursor of the next page; absent on the last page. Where many other requests do not match, a page may have fewer requests than `limit`, or none, and a cursor.',
        ),
      total: z
        .int()
        .min(0)
        .optional()
        .describe('Number of matching requests on all pages; absent without `includeTotal`.'),
    })
    .describe('A page of requests.'),
)

export const requestsV3Route = restRoute({
  path: '/requests/v3',
  method: 'GET',
  operation: 'requestsV3',
  summary: 'List requests, in the newest form',
  description:
    'The requests of /requests/v2 in the form of Relay’s /requests/v3. Unlike in other answers, fields without a value are null, as there.',
  input: inputSchema,
  body: requestsV3Body,
  takesApiKey: true,
  units: ({ includeTotal }) => units.list + (includeTotal === true ? units.count : 0),
  example: () => ({ limit: 5 }),
  async answer(input, context) {
    const ownKey = ownKeyOf(input, context)
    const filter = await filterOf(input, context)
    if (filter === undefined)
      return { requests: [], ...(input.includeTotal === true && { total: 0 }) }
    const asked = { ...filter, ...(input.apiKey !== undefined && ownKey && { apiKey: ownKey }) }
    const { operations } = context
    const [{ requests, next }, total] = await Promise.all([
      operations.requests(asked),
      input.includeTotal === true ? operations.countRequests(asked) : undefined,
    ])
    const shownKey = input.includeAuthenticatedData === true ? ownKey : undefined
    const bodies = requests.map((each) => encodeRequestV3(each, context, shownKey))
    return { requests: await Promise.all(bodies), continuation: next, total }
  },
})

/**
 * The name of the caller's API key; `undefined` if it is not needed, or without a key.
 * @throws AppError UNAUTHORIZED for an unknown key; FORBIDDEN if `apiKey` is not the caller's.
 */
function ownKeyOf(
  { apiKey, includeAuthenticatedData }: Input,
  { operations, client }: RequestContext,
): string | undefined {
  if (apiKey === undefined && includeAuthenticatedData !== true) return undefined
  const name = operations.callerName(client)
  const isOwn = (key: string) => name !== undefined && key.trim() === client.apiKey
  if (apiKey === undefined || apiKey.split(',').every(isOwn)) return name
  throw new AppError('FORBIDDEN', 'apiKey: it must be the key of the header x-api-key.', {
    field: 'apiKey',
  })
}

/** `undefined` if no request can match. */
async function filterOf(
  input: Input,
  { operations }: RequestContext,
): Promise<RequestFilter | undefined> {
  const { currencyInChainId, currencyOutChainId, chainId: either } = input
  const originChainId = input.originChainId ?? currencyInChainId
  const destinationChainId = input.destinationChainId ?? currencyOutChainId
  if (originChainId !== (currencyInChainId ?? originChainId)) return undefined
  if (destinationChainId !== (currencyOutChainId ?? destinationChainId)) return undefined
  const isOneWay = originChainId !== undefined || destinationChainId !== undefined
  const { startTimestamp, endTimestamp } = input
  const searched = input.term === undefined ? {} : await searchFor(input.term, operations)
  const isById = input.id !== undefined || 'requestId' in searched
  return given({
    ...searched,
    ...(input.id !== undefined && idFilterOf(input.id, input.includeChildRequests)),
    orderId: input.orderId,
    depositTxHash: input.depositTxHash,
    fillTxHash: input.fillTxHash,
    refundTxHash: input.refundTxHash,
    originChainId,
    destinationChainId,
    chainId: isOneWay ? undefined : either,
    user: input.user,
    recipient: input.recipient,
    depositAddress: input.depositAddress,
    statuses: isById && input.status === undefined ? undefined : statusesOf(input.status),
    failReason: input.failReason,
    refundFailReason: input.refundFailReason,
    referrer: input.referrer,
    originCurrency: input.currencyInAddress,
    destinationCurrency: input.currencyOutAddress,
    createdFrom: startTimestamp && startTimestamp * 1000,
    // Includes the whole second.
    createdUntil: endTimestamp && endTimestamp * 1000 + 999,
    order: input.sortDirection === 'asc' ? 'oldest' : undefined,
    after: input.continuation,
    first: input.limit ?? defaultLimit,
  })
}

type Given = { [Key in keyof RequestFilter]: RequestFilter[Key] | undefined }

/** Leaves out the fields without a value. */
const given = (filter: Given): RequestFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined),
  ) as RequestFilter

const idFilterOf = (id: `0x${string}`, withChildren = false) =>
  withChildren ? { family: id } : { requestId: id }

/** The filter that finds the term: an account, a request id or a transaction hash. */
async function searchFor(
  term: `0x${string}`,
  operations: RequestContext['operations'],
): Promise<Partial<RequestFilter>> {
  if (isAddressText(term)) return { account: toAddress(term) }
  const { requests } = await operations.requests({ requestId: term, first: 1 })
  return requests.length === 0 ? { txHash: term } : { requestId: term }
}

const isAddressText = (term: string): boolean => term.length === 42
