import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { addressField, boundedList, hashField } from '#src/operations/input/inputFields.ts'
import { RequestConnectionType } from './requestConnection.ts'
import { RequestStatusType } from './requestStatusType.ts'
import { RequestStatusNameType } from './statusEnums.ts'

const usualPage = 20

const requestId = { requestId: hashField }

const requestsArguments = z
  .strictObject({
    user: addressField.nullish(),
    // GraphQL has judged each of them: there is an enum.
    status: boundedList(
      z.custom<typeof RequestStatusNameType.$inferType>(),
      7,
      'At most 7',
    ).nullish(),
    first: z.int().min(1, 'At least 1').max(100, 'At most 100').nullish(),
    after: z.string().max(512, 'At most 512 characters').nullish(),
  })
  .transform(({ user, status, first, after }) => ({
    filter: {
      ...(user != null && { user }),
      ...(status != null && { statuses: status }),
      ...(after != null && { after }),
      first: first ?? usualPage,
    },
  }))

builder.queryFields((t) => ({
  requestStatus: t.field({
    type: RequestStatusType,
    description: 'How a request stands.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description: 'As the quote named it.',
        }),
      },
      z.strictObject(requestId),
    ),
    resolve: (_, { requestId }, { operations, loaders }) =>
      operations.requestStatus(requestId, loaders),
  }),
  requests: t.field({
    type: RequestConnectionType,
    description: 'Requests that were quoted with steps, newest first.',
    args: t.validate(
      {
        user: t.arg({ type: 'Address', description: 'Only those of this user.' }),
        status: t.arg({
          type: [RequestStatusNameType],
          description: 'Only those that stand so. Default: all.',
        }),
        first: t.arg.int({ defaultValue: usualPage, description: 'Length of the page, 1 to 100.' }),
        after: t.arg.string({
          description: 'Cursor of the request before the page. Default: from the newest.',
        }),
      },
      requestsArguments,
    ),
    extensions: { items: 'page' },
    resolve: async (_, { filter }, { operations }) => {
      const { requests, next } = await operations.requests(filter)
      const edges = requests.map((node) => ({
        cursor: operations.requestCursor(node.request),
        node,
      }))
      return { edges, isLast: next === undefined, endCursor: edges.at(-1)?.cursor }
    },
  }),
}))

builder.subscriptionFields((t) => ({
  requestStatus: t.field({
    type: RequestStatusType,
    description:
      'How a request stands, at once, then again after each change: every change once, in order. Completes once nothing changes any more. Errors as the query of this name does; with SUBSCRIBER_TOO_SLOW where the events are not read as they come.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description: 'As the quote named it.',
        }),
        after: t.arg.int({
          description:
            'The last `seq` that the client has: then only the changes after it, those that it missed first.',
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
