import { builder } from '#src/gateway/graphql/builder.ts'

export type PageEnd = Readonly<{
  isLast: boolean
  /** Absent if the page is empty. */
  endCursor: string | undefined
}>

export const PageInfoType = builder.objectRef<PageEnd>('PageInfo').implement({
  description: 'Where a page ends.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether more follow this page.',
      resolve: ({ isLast }) => !isLast,
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last on this page: the `after` of the next; null if it is empty.',
    }),
  }),
})
