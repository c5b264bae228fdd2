import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { nullIfUnknown } from '#src/gateway/graphql/nullIfUnknown.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/pageInfoType.ts'
import { units } from '#src/gateway/limits/units.ts'
import { maxCountedRequests, type RequestAnswer } from '#src/service/answers.ts'
import {
  accountField,
  boundedList,
  chainIdField,
  hashField,
  isRequestCursor,
} from '#src/service/input/inputFields.ts'
import { RequestStatusType } from './requestStatusType.ts'
import { RequestStatusNameType } from './statusEnums.ts'

type Edge = Readonly<{ cursor: string; node: RequestAnswer }>

type RequestPage = PageEnd &
  Readonly<{
    edges: readonly Edge[]
    totalCount: () => Promise<number>
  }>

const RequestEdgeType = builder.objectRef<Edge>('RequestEdge').implement({
  description: 'A request of a page, with its cursor.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description:
        'Opaque cursor of the request: pass it as `after` to get the page that follows it.',
    }),
    node: t.expose('node', { type: RequestStatusType, description: 'The request.' }),
  }),
})

const RequestConnectionType = builder.objectRef<RequestPage>('RequestConnection').implement({
  description: 'A page of requests, newest first.',
  fields: (t) => ({
    edges: t.field({
      type: [RequestEdgeType],
      description: 'The requests of this page, in order.',
      extensions: { items: 1 },
      resolve: ({ edges }) => [...edges],
    }),
    pageInfo: t.field({
      type: PageInfoType,
      description:
        'Whether there is a next page, and the cursor to pass as `after` for it. Where many other requests do not match, a page may have fewer requests than `first`, or none, and a next page.',
      resolve: (page) => page,
    }),
    totalCount: t.int({
      description: `Number of the requests that match the filters, among the first ${maxCountedRequests} that are read for it: exact below this number if \`user\` is the only filter besides the times.`,
      extensions: { cost: 100, units: units.count },
      resolve: (page) => page.totalCount(),
    }),
  }),
})

const defaultPage = 20

const requestId = { requestId: hashField }

/** Milliseconds since 1970. */
const timeField = z.int().min(0, 'At least 0')

const requestsArguments = z
  .strictObject({
    user: accountField.nullish(),
    // GraphQL has validated the items against its enum.
    status: boundedList(
      z.custom<typeof RequestStatusNameType.$inferType>(),
      7,
      'At most 7',
    ).nullish(),
    chainId: chainIdField.nullish(),
    txHash: hashField.nullish(),
    depositAddress: accountField.nullish(),
    parentRequestId: hashField.nullish(),
    createdFromMs: timeField.nullish(),
    createdUntilMs: timeField.nullish(),
    includeUnpaid: z.boolean().nullish(),
    first: z.int().min(1, 'At least 1').max(100, 'At most 100').nullish(),
    after: z.string().refine(isRequestCursor, 'Not a cursor of this list').nullish(),
  })
  .transform(
    ({ status, createdFromMs, createdUntilMs, includeUnpaid, first, after, ...exact }) => ({
      includesUnpaid:
        includeUnpaid ??
        (status?.includes('waiting') || exact.txHash != null || exact.depositAddress != null),
      filter: {
        ...(exact.user != null && { user: exact.user }),
        ...(exact.chainId != null && { chainId: exact.chainId }),
        ...(exact.txHash != null && { txHash: exact.txHash }),
        ...(exact.depositAddress != null && { depositAddress: exact.depositAddress }),
        ...(exact.parentRequestId != null && { parentId: exact.parentRequestId }),
        ...(createdFromMs != null && { createdFrom: createdFromMs }),
        ...(createdUntilMs != null && { createdUntil: createdUntilMs }),
        ...(status != null && { statuses: status }),
        ...(after != null && { after }),
        first: first ?? defaultPage,
      },
    }),
  )

builder.queryFields((t) => ({
  requestStatus: t.field({
    type: RequestStatusType,
    nullable: true,
    description: 'Status of a request; null if there is none with this id.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description: 'The `requestId` of the quote.',
        }),
      },
      z.strictObject(requestId),
    ),
    resolve: (_, { requestId }, { operations, loaders }) =>
      operations.requestStatus(requestId, loaders).catch(nullIfUnknown),
  }),
  requests: t.field({
    type: RequestConnectionType,
    description: 'Requests, newest first. A quote with steps creates a request.',
    args: t.validate(
      {
        user: t.arg({
          type: 'Address',
          description: 'Only requests of this user. For multi-input quotes: the root `user`.',
        }),
        status: t.arg({
          type: [RequestStatusNameType],
          description: 'Only requests with one of these statuses, at most 7. Default: all.',
        }),
        chainId: t.arg({
          type: 'ChainId',
          description: 'Only requests from or to this chain.',
        }),
        txHash: t.arg({
          type: 'Hex',
          description:
            'Only the requests of this transaction, 32 bytes: a deposit, a fill or a refund.',
        }),
        depositAddress: t.arg({
          type: 'Address',
          description:
            'Only the request with this deposit address, and the requests of payments to it.',
        }),
        parentRequestId: t.arg({
          type: 'RequestId',
          description:
            'Only the requests of payments to the open deposit address of this request, 32 bytes.',
        }),
        createdFromMs: t.arg({
          type: 'SafeInt',
          description: 'Only requests quoted at this time or later, in milliseconds since 1970.',
        }),
        createdUntilMs: t.arg({
          type: 'SafeInt',
          description: 'Only requests quoted at this time or earlier, in milliseconds since 1970.',
        }),
        includeUnpaid: t.arg.boolean({
          description:
            'Whether to list quotes that nobody paid before their deadline: they stay `waiting`. Default: false; true if `status` contains `waiting`, and with `txHash` or `depositAddress`.',
        }),
        first: t.arg.int({
          defaultValue: defaultPage,
          description: 'Maximum number of requests on the page, 1 to 100.',
        }),
        after: t.arg.string({
          description: 'Cursor: the page starts after this request. Default: the newest requests.',
        }),
      },
      requestsArguments,
    ),
    extensions: { items: 'first', units: units.list },
    resolve: async (_, { filter: asked, includesUnpaid }, { operations }) => {
      const filter = includesUnpaid
        ? asked
        : { ...asked, withoutExpiredAt: Math.floor(Date.now() / 1000) }
      const { requests, next } = await operations.requests(filter)
      const edges = requests.map((node) => ({
        cursor: operations.requestCursor(node.request),
        node,
      }))
      const totalCount = () => operations.countRequests(filter)
      return {
        edges,
        isLast: next === undefined,
        endCursor: next ?? edges.at(-1)?.cursor,
        totalCount,
      }
    },
  }),
}))

builder.subscriptionFields((t) => ({
  requestStatus: t.field({
    type: RequestStatusType,
    description:
      'Status of a request: the current state at once, then every change, once and in order. Completes when the request reaches a terminal status. Errors: UNKNOWN_REQUEST if there is none with this id, and SUBSCRIBER_TOO_SLOW if the client does not read the events in time.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description: 'The `requestId` of the quote.',
        }),
        after: t.arg.int({
          description:
            'The last `seq` that the client has received. The subscription then sends only the changes after it, including missed ones.',
        }),
      },
      z.strictObject({
        ...requestId,
        after: z.int().min(0, 'At least 0').nullish(),
      }),
    ),
    subscribe: (_, { requestId, after }, { operations }) =>
      operations.watchRequest(requestId, after ?? undefined),
    resolve: (answer) => answer,
  }),
}))
