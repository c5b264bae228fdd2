import { builder } from '#src/gateway/graphql/builder.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/types/pageInfoType.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import { RequestStatusType } from './requestStatusType.ts'

type Edge = Readonly<{ cursor: string; node: RequestAnswer }>

export type RequestPage = PageEnd & Readonly<{ edges: readonly Edge[] }>

const RequestEdgeType = builder.objectRef<Edge>('RequestEdge').implement({
  description: 'A request and its place in history.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Opaque: an `after` for the next page.' }),
    node: t.expose('node', { type: RequestStatusType, description: 'The request.' }),
  }),
})

export const RequestConnectionType = builder.objectRef<RequestPage>('RequestConnection').implement({
  description: 'A page of requests, newest first.',
  fields: (t) => ({
    edges: t.field({
      type: [RequestEdgeType],
      description: 'The page, one edge for each request.',
      extensions: { items: 1 },
      resolve: ({ edges }) => [...edges],
    }),
    pageInfo: t.field({
      type: PageInfoType,
      description: 'Where the page ends.',
      resolve: (page) => page,
    }),
  }),
})
