import { builder } from '#src/gateway/graphql/builder.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/types/pageInfoType.ts'
import { invalidRequest } from '#src/gateway/http/invalidRequest.ts'
import type { Currency } from '#src/units/currency.ts'
import { CurrencyType } from './currencyType.ts'

/** A stretch of a list, as Relay's cursor connections have it. */
type Page = PageEnd &
  Readonly<{
    items: readonly Currency[]
    /** Of the whole list. */
    totalCount: number
  }>

/** Names a currency's place: what comes after it stays the same when the list before it changes. */
const cursorOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

/** @throws AppError INVALID_REQUEST unless `after` is the cursor of one of `currencies`. */
export function pageOf(
  currencies: readonly Currency[],
  { first, after }: Readonly<{ first: number; after: string | undefined }>,
): Page {
  const before = after === undefined ? -1 : currencies.findIndex((each) => cursorOf(each) === after)
  if (after !== undefined && before === -1)
    throw invalidRequest([{ path: ['after'], message: 'No cursor of this list' }])
  const items = currencies.slice(before + 1, before + 1 + first)
  const last = items.at(-1)
  return {
    items,
    totalCount: currencies.length,
    isLast: before + 1 + items.length === currencies.length,
    endCursor: last && cursorOf(last),
  }
}

const CurrencyEdgeType = builder.objectRef<Currency>('CurrencyEdge').implement({
  description: 'A currency and its place in the list.',
  fields: (t) => ({
    cursor: t.string({ description: 'Opaque: an `after` for the next page.', resolve: cursorOf }),
    node: t.field({
      type: CurrencyType,
      description: 'The currency.',
      resolve: (currency) => currency,
    }),
  }),
})

export const CurrencyConnectionType = builder.objectRef<Page>('CurrencyConnection').implement({
  description: 'A page of currencies.',
  fields: (t) => ({
    edges: t.field({
      type: [CurrencyEdgeType],
      description: 'The page, one edge for each currency.',
      extensions: { items: 1 },
      resolve: ({ items }) => items,
    }),
    pageInfo: t.field({
      type: PageInfoType,
      description: 'Where the page ends.',
      resolve: (page) => page,
    }),
    totalCount: t.exposeInt('totalCount', {
      description: 'Count of all that the filters let pass.',
    }),
  }),
})
