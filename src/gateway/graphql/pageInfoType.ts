import { builder } from './builder.ts'

export type PageEnd = Readonly<{
  isLast: boolean
  /** `undefined` if the page is empty. */
  endCursor: string | undefined
}>

export const PageInfoType = builder.objectRef<PageEnd>('PageInfo').implement({
  description: 'Whether a page has a next one, and the cursor of its last item.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether there is a next page.',
      resolve: ({ isLast }) => !isLast,
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description:
        'Cursor of the last item: pass it as `after` to get the next page. Null if the page is empty.',
    }),
  }),
})
