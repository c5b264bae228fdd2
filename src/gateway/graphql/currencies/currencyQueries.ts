import { z } from 'zod'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import type { Choice } from '#src/gateway/graphql/execution/documentCost.ts'
import { nullIfUnknown } from '#src/gateway/graphql/nullIfUnknown.ts'
import { type PageEnd, PageInfoType } from '#src/gateway/graphql/pageInfoType.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { accountField, boundedList, chainIdField } from '#src/service/input/inputFields.ts'
import type { Service } from '#src/service/service.ts'
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

const CurrencyConnectionType = builder.objectRef<Page>('CurrencyConnection').implement({
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

const CurrencyOrderType = builder.enumType('CurrencyOrder', {
  description: 'Order of a list of currencies. Equal ones keep the default order.',
  values: {
    SOLVER: { description: 'Those that the solver pays out first, then as VOLUME.' },
    VOLUME: {
      description:
        'By the US dollars for which they were bought here in the last 24 hours, most first.',
    },
    NAME: { description: 'By name, without regard to case.' },
    HELD: {
      description:
        'Those that `user` holds first, by their value in US dollars, then as SOLVER. Reads the balances of the first 50 as of SOLVER; what no node reports within 250 ms counts as not held. Costs 100 units of the rate limit.',
    },
  },
})

type Order = typeof CurrencyOrderType.$inferType

/** The currencies whose balances HELD reads. Nodes read those of a chain together. */
const maxHeldReads = 50

/** The value is 0 without a price, and undefined if the user holds nothing. */
async function heldFirst(
  found: readonly Currency[],
  user: Account,
  { operations, loaders }: RequestContext,
): Promise<readonly Currency[]> {
  const sorted = await inOrder(found, 'SOLVER', operations)
  const values = new Map(
    await Promise.all(
      sorted.slice(0, maxHeldReads).map(async (each) => {
        const held = (await operations.balance(each, user, loaders)) ?? toAmount(0n)
        const price = operations.knownUsdPrice(each.chainId, each.address)
        const value = price === undefined ? 0n : usdValueDown(held, each.decimals, price)
        return [each, held > 0n ? value : -1n] as const
      }),
    ),
  )
  const worthOf = (each: Currency) => values.get(each) ?? -1n
  return sorted.toSorted((one, other) => {
    const [less, more] = [worthOf(one), worthOf(other)]
    return Number(more > less) - Number(more < less)
  })
}

async function inOrder(
  found: readonly Currency[],
  order: Exclude<Order, 'HELD'>,
  { chains, trendingCurrencies }: Pick<Service, 'chains' | 'trendingCurrencies'>,
): Promise<readonly Currency[]> {
  if (order === 'NAME') {
    const nameOf = ({ name }: Currency) => name.toLowerCase()
    return found.toSorted(
      (one, other) => Number(nameOf(one) > nameOf(other)) - Number(nameOf(one) < nameOf(other)),
    )
  }
  const bought = (await trendingCurrencies('usd')).map(currencyKey)
  const solvers = chains().flatMap(({ solverCurrencies }) =>
    solverCurrencies.map(({ currency }) => currencyKey(currency)),
  )
  const first = new Set(order === 'SOLVER' ? solvers : [])
  const places = new Map(bought.map((key, at) => [key, at]))
  const isFirst = (each: Currency) => Number(first.has(currencyKey(each)))
  const placeOf = (each: Currency) => places.get(currencyKey(each)) ?? bought.length
  return found.toSorted(
    (one, other) => isFirst(other) - isFirst(one) || placeOf(one) - placeOf(other),
  )
}

const defaultPage = 20

const currenciesArguments = z
  .strictObject({
    chainIds: boundedList(chainIdField, 100, 'At most 100 chains').nullish(),
    term: z.string().max(128, 'At most 128 characters').nullish(),
    addresses: boundedList(accountField, 100, 'At most 100 addresses').nullish(),
    verified: z.boolean().nullish(),
    // GraphQL has validated it against its enum.
    orderBy: z.custom<Order>().nullish(),
    user: accountField.nullish(),
    first: z.int().min(0, 'At least 0').max(100, 'At most 100').nullish(),
    after: z.string().nullish(),
  })
  .superRefine(({ orderBy, user }, context) => {
    const message =
      orderBy === 'HELD' ? 'Required for HELD: the account that holds them' : 'Only for HELD'
    if ((orderBy === 'HELD') !== (user != null))
      context.addIssue({ code: 'custom', path: ['user'], message })
  })
  .transform(({ chainIds, term, addresses, verified, orderBy, user, first, after }) => ({
    orderBy,
    user,
    filter: {
      ...(chainIds != null && { chainIds }),
      ...(term != null && { term }),
      ...(addresses != null && { addresses }),
      ...(verified != null && { verified }),
    },
    page: { first: first ?? defaultPage, after: after ?? undefined },
  }))

const currencyArguments = z.strictObject({ chainId: chainIdField, address: accountField })

builder.queryFields((t) => ({
  currencies: t.field({
    type: CurrencyConnectionType,
    description:
      'Known currencies. Ordered by chain; within a chain the native currency first, then verified ones, then by symbol. Currencies that are always refused come last.',
    args: t.validate(
      {
        chainIds: t.arg({
          type: ['ChainId'],
          description: 'Only currencies of these chains, at most 100 ids. Default: all chains.',
        }),
        term: t.arg.string({
          description:
            'Search text: part of the symbol or name (any case), or a whole address. At most 128 characters.',
        }),
        addresses: t.arg({
          type: ['Address'],
          description:
            'Only currencies with these contracts, at most 100; the zero address for native currencies. Default: all.',
        }),
        verified: t.arg.boolean({
          description:
            'Filter by verification. true: only currencies of a token list. false: only the others. Default: both.',
        }),
        orderBy: t.arg({
          type: CurrencyOrderType,
          description: 'Order of all pages: a cursor holds for its own order. Default: see above.',
        }),
        user: t.arg({
          type: 'Address',
          description: 'The account whose balances HELD reads. Only for HELD, which requires it.',
        }),
        first: t.arg.int({
          defaultValue: defaultPage,
          description: 'Maximum number of currencies on the page, 0 to 100.',
        }),
        after: t.arg.string({
          description: 'Cursor: the page starts after this currency. Default: the first page.',
        }),
      },
      currenciesArguments,
    ),
    extensions: {
      items: 'first',
      choice: {
        argument: 'orderBy',
        value: 'HELD',
        units: maxHeldReads * units.balance,
      } satisfies Choice,
    },
    resolve: async (_, { filter, page, orderBy, user }, context) => {
      const found = context.operations.currencies(filter)
      if (orderBy == null) return pageOf(found, page)
      if (orderBy !== 'HELD') return pageOf(await inOrder(found, orderBy, context.operations), page)
      if (user == null) throw invalidRequest([{ path: ['user'], message: 'Required' }])
      return pageOf(await heldFirst(found, user, context), page)
    },
  }),
  currency: t.field({
    type: CurrencyType,
    nullable: true,
    description:
      'One currency. If no list contains it, it is read from its contract; null if the chain is not configured, or has no ERC-20 at the address.',
    args: t.validate(
      {
        chainId: t.arg({
          type: 'ChainId',
          required: true,
          description: 'EIP-155 id of its chain.',
        }),
        address: t.arg({
          type: 'Address',
          required: true,
          description: 'Contract address; the zero address for the native currency.',
        }),
      },
      currencyArguments,
    ),
    resolve: async (_, { chainId, address }, { operations, loaders }) =>
      (await operations.currency(chainId, address, loaders).catch(nullIfUnknown)) ?? null,
  }),
}))
