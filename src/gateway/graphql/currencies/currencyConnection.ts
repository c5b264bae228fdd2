import type { Currency } from '#src/core/units/currency.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/pageInfoType.ts'
import { invalidRequest } from '#src/gateway/http/invalidRequest.ts'
import { CurrencyType } from './currencyType.ts'

/** A page of a list, as in the Relay cursor connections specification. */
type Page = PageEnd &
  Readonly<{
    items: readonly Currency[]
    /** Length of the whole list. */
    totalCount: number
  }>

/** The cursor is the currency and not its position, so the next page stays right if the list changes before it. */
const cursorOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

/** @throws AppError INVALID_REQUEST unless `after` is the cursor of one of `currencies`. */
export function pageOf(
  currencies: readonly Currency[],
  { first, after }: Readonly<{ first: number; after: string | undefined }>,
): Page {
  const before = after === undefined ? -1 : currencies.findIndex((each) => cursorOf(each) === after)
  if (after !== undefined && before === -1)
    throw invalidRequest([{ path: ['after'], message: 'Not a cursor of this list' }])
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
  description: 'A currency of a page, with its cursor.',
  fields: (t) => ({
    cursor: t.string({
      description:
        'Opaque cursor of the currency: pass it as `after` to get the page that follows it.',
      resolve: cursorOf,
    }),
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
      description: 'The currencies of this page, in order.',
      extensions: { items: 1 },
      resolve: ({ items }) => items,
    }),
    pageInfo: t.field({
      type: PageInfoType,
      description:
        'Whether there is a next page, and the cursor of the last item: pass it as `after` to get the next page.',
      resolve: (page) => page,
    }),
    totalCount: t.exposeInt('totalCount', {
      description: 'Number of all currencies that match the filters.',
    }),
  }),
})
