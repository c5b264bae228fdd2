import { builder } from '#src/gateway/graphql/builder.ts'

export type PageEnd = Readonly<{
  isLast: boolean
  /** `undefined` if the page is empty. */
  endCursor: string | undefined
}>

export const PageInfoType = builder.objectRef<PageEnd>('PageInfo').implement({
  description: 'End of a page, for the next one.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether there is a next page.',
      resolve: ({ isLast }) => !isLast,
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description:
        'Cursor of the last item: the `after` of the next page; null if the page is empty.',
    }),
  }),
})
