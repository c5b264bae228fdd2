import { builder } from '#src/gateway/graphql/builder.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/pageInfoType.ts'
import { units } from '#src/gateway/limits/units.ts'
import { maxCountedRequests, type RequestAnswer } from '#src/service/operations.ts'
import { RequestStatusType } from './requestStatusType.ts'

type Edge = Readonly<{ cursor: string; node: RequestAnswer }>

export type RequestPage = PageEnd &
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

export const RequestConnectionType = builder.objectRef<RequestPage>('RequestConnection').implement({
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
