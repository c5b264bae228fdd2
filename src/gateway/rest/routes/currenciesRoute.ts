import { z } from 'zod'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import { encodeListed, listedCurrencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import {
  chainIdParameter,
  limitParameter,
  referrerParameter,
  requireChain,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { CurrencyFilter } from '#src/service/answers.ts'
import type { TrendOrder } from '#src/service/catalogue/catalogue.ts'
import {
  accountField,
  boundedList,
  chainIdField,
  refuse,
  textField,
} from '#src/service/input/inputFields.ts'

const defaultLimit = 20

/** `chainId:address`, the form in which existing clients name a currency. */
const tokenField = textField('A token must be a string').transform((text, context) => {
  const [, id = '', address = ''] = /^([0-9]{1,16}):(.*)$/s.exec(text) ?? []
  const chainId = chainIdField.safeParse(id === '' ? undefined : Number(id))
  const parsed = accountField.safeParse(address)
  if (!chainId.success || !parsed.success)
    return refuse(context, 'Must be a chain id, a colon and an address', 'INVALID_REQUEST')
  return { chainId: chainId.data, address: parsed.data }
})

const flag = z.boolean().nullish()

/** The body of /currencies/v2. */
const currencySearch = z.strictObject({
  chainIds: boundedList(chainIdField, 100, 'At most 100 chains')
    .nullish()
    .describe('Only currencies of these chains, at most 100 ids. Empty or absent: all chains.'),
  term: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Search text: part of the symbol or name (any case), or a whole address. At most 128 characters. Empty: every currency.',
    ),
  address: accountField
    .nullish()
    .describe(
      'Only currencies at this address. With `chainIds`, a currency that no list contains is read from its contract.',
    ),
  currencyId: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe(
      'Only currencies with this `id` of /chains: their symbol, in any case. At most 128 characters.',
    ),
  tokens: boundedList(tokenField, 100, 'At most 100 tokens')
    .nullish()
    .describe(
      'Exactly these currencies, in this order: at most 100 texts `chainId:address`. Unlisted ones are read from their contracts. The other filters apply too.',
    ),
  defaultList: flag.describe(
    'Whether to list only currencies of a token list: first the native ones, then those that the solver bridges. Default: false.',
  ),
  includeAllChains: flag.describe(
    'Whether a search by `chainIds` and `address` also returns the same asset on other chains. Default: false.',
  ),
  depositAddressOnly: flag.describe(
    'Whether to list only currencies that a deposit address accepts: those that the solver accepts without a swap. Default: false.',
  ),
  useExternalSearch: flag.describe(
    'Whether a currency that no list contains is read from its contract. No other service is asked. Default: true.',
  ),
  verified: flag.describe(
    'Filter by verification. true: only currencies of a token list. false: only the others. Default: both.',
  ),
  limit: z
    .int('Must be an integer')
    .min(1, 'At least 1')
    .max(100, 'At most 100')
    .nullish()
    .describe(`Maximum number of results, 1 to 100. Default: ${defaultLimit}.`),
  referrer: z
    .string()
    .max(128, 'At most 128 characters')
    .nullish()
    .describe('Name of the frontend, for logs. At most 128 characters.'),
})

type CurrencySearch = z.output<typeof currencySearch>

export const currenciesRoute = restRoute({
  path: '/currencies/v2',
  method: 'POST',
  operation: 'currencies',
  summary: 'Search currencies',
  description:
    'Known currencies by chain id, symbol, name or address. Ordered by chain; within a chain the native currency first, then verified ones, then by symbol.',
  input: currencySearch,
  body: z.array(listedCurrencyBody),
  takesApiKey: false,
  example: (operations) => ({ chainIds: operations.chains().map(({ id }) => id), term: 'usd' }),
  async answer(search, context) {
    const found = await findCurrencies(search, context)
    return found.slice(0, search.limit ?? defaultLimit).map(encodeListed)
  },
})

type Key = Readonly<{ chainId: ChainId; address: Account }>

/** All currencies that a search finds, in the order of its answer. */
async function findCurrencies(
  search: CurrencySearch,
  context: RequestContext,
): Promise<readonly Currency[]> {
  const found = await findAny(search, context)
  return search.depositAddressOnly === true ? found.filter(isSwept(context)) : found
}

/** Whether deposit addresses accept the currency: the solver accepts it, and its chain has their factory. */
function isSwept({ operations }: RequestContext): (currency: Currency) => boolean {
  const accepted = new Set(
    operations
      .chains()
      .filter(({ contracts }) => contracts?.depositAddressFactory !== undefined)
      .flatMap(({ solverCurrencies }) => solverCurrencies.map(({ currency }) => keyOf(currency))),
  )
  return (currency) => accepted.has(keyOf(currency))
}

async function findAny(
  search: CurrencySearch,
  context: RequestContext,
): Promise<readonly Currency[]> {
  if (search.tokens != null) return findTokens(search.tokens, search, context)
  const known = context.operations.currencies(filterOf(search)).filter(hasId(search))
  if (search.defaultList === true) return defaultList(known, context)
  const found = [...known, ...(await readUnlisted(search, known, context))]
  return search.includeAllChains === true ? withOtherChains(search, found, context) : found
}

/** An empty text or list is no filter. */
function filterOf({
  chainIds,
  term,
  address,
  verified,
  defaultList,
}: CurrencySearch): CurrencyFilter {
  const text = term?.trim()
  return {
    ...(chainIds != null && chainIds.length > 0 && { chainIds }),
    ...(text && { term: text }),
    ...(address != null && { address }),
    ...(verified != null && { verified }),
    ...(defaultList === true && { verified: true }),
  }
}

const hasId =
  ({ currencyId }: CurrencySearch) =>
  ({ symbol }: Currency): boolean =>
    currencyId == null || symbol.toLowerCase() === currencyId.toLowerCase()

/** The named currencies that pass the other filters. */
async function findTokens(
  tokens: readonly Key[],
  search: CurrencySearch,
  { operations, loaders }: RequestContext,
): Promise<readonly Currency[]> {
  const listed = new Map(operations.currencies({}).map((each) => [keyOf(each), each]))
  const distinct = [...new Map(tokens.map((each) => [keyOf(each), each])).values()]
  const found = await Promise.all(
    distinct.map(async (key) => listed.get(keyOf(key)) ?? readOne(search, key)),
  )
  const { tokens: _, ...others } = search
  const { chainIds, address, verified, term = '' } = filterOf(others)
  return found.filter(
    (each): each is Currency =>
      each !== undefined &&
      hasId(search)(each) &&
      (chainIds?.includes(each.chainId) ?? true) &&
      (address ?? each.address) === each.address &&
      (verified ?? each.metadata.verified) === each.metadata.verified &&
      [each.symbol, each.name, each.address].some((text) =>
        text.toLowerCase().includes(term.toLowerCase()),
      ),
  )

  async function readOne({ useExternalSearch }: CurrencySearch, { chainId, address }: Key) {
    if (useExternalSearch === false || operations.chain(chainId) === undefined) return undefined
    return operations.currency(chainId, address, loaders)
  }
}

const keyOf = ({ chainId, address }: Key): string => `${chainId}:${address}`

/** Verified currencies: native ones first, then those that the solver bridges, then the others. */
function defaultList(
  verified: readonly Currency[],
  { operations }: RequestContext,
): readonly Currency[] {
  const bridged = new Set(
    operations
      .chains()
      .flatMap(({ solverCurrencies }) => solverCurrencies.map(({ currency }) => keyOf(currency))),
  )
  const rankOf = (currency: Currency): number => {
    if (currency.metadata.isNative) return 0
    return bridged.has(keyOf(currency)) ? 1 : 2
  }
  // The sort is stable: within a rank the order of the search stays.
  return verified.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** Currencies that no list contains, read from their contracts. Only for a search by address. */
async function readUnlisted(
  search: CurrencySearch,
  known: readonly Currency[],
  { operations, loaders }: RequestContext,
): Promise<readonly Currency[]> {
  const { chainIds = [], term, address = addressIn(term), verified } = filterOf(search)
  const isText = term !== undefined && addressIn(term) === undefined
  if (search.useExternalSearch === false || verified === true || isText) return []
  if (address === undefined || search.currencyId != null) return []
  const unknown = [...new Set(chainIds)].filter(
    (id) => operations.chain(id) !== undefined && known.every(({ chainId }) => chainId !== id),
  )
  const found = await Promise.all(unknown.map((id) => operations.currency(id, address, loaders)))
  return found.filter((currency) => currency !== undefined)
}

/** A search text that is a whole address. */
const addressIn = (term: string | undefined) =>
  term === undefined
    ? undefined
    : accountField.safeParse(/^0x/i.test(term) ? term.toLowerCase() : term).data

/** Adds the same assets on other chains if the search names a currency by chain and address. */
function withOtherChains(
  { chainIds, address }: CurrencySearch,
  found: readonly Currency[],
  { operations }: RequestContext,
): readonly Currency[] {
  const named: readonly ChainId[] = chainIds ?? []
  if (named.length === 0 || address == null) return found
  const others = found
    .flatMap((currency) => operations.assetCurrencies(currency))
    .filter((each) => !found.some((other) => isSameCurrency(each, other)))
  const distinct = new Map(others.map((each) => [keyOf(each), each]))
  return [...found, ...distinct.values()]
}

const defaultTrending = 20

/** The names that existing clients send. */
const orders = {
  relay24hBuyTxCount: 'count',
  relay24hBuyUsdVolume: 'usd',
} as const satisfies Record<string, TrendOrder>

const orderNames = Object.keys(orders) as (keyof typeof orders)[]

export const trendingRoute = restRoute({
  path: '/currencies/trending',
  method: 'GET',
  operation: 'trendingCurrencies',
  summary: 'Most bought currencies',
  description:
    'The destination currencies of this gateway’s successful requests of the last 24 hours, most bought first. Updated at most once a minute.',
  input: z.strictObject({
    chainId: chainIdParameter
      .optional()
      .describe('Only currencies of this chain. Default: all chains.'),
    sortBy: z
      .enum(orderNames, `One of ${orderNames.join(', ')}`)
      .optional()
      .describe(
        '`relay24hBuyTxCount`: by the number of requests. `relay24hBuyUsdVolume`: by the value of their outputs in US dollars. Default: `relay24hBuyTxCount`.',
      ),
    limit: limitParameter(defaultTrending),
    referrer: referrerParameter,
  }),
  body: z.array(listedCurrencyBody),
  takesApiKey: false,
  maxAgeSeconds: 60,
  example: () => ({ limit: 5 }),
  async answer(
    { chainId, sortBy = 'relay24hBuyTxCount', limit = defaultTrending },
    { operations },
  ) {
    if (chainId !== undefined) requireChain(operations, chainId)
    const trending = await operations.trendingCurrencies(orders[sortBy])
    return trending
      .filter((currency) => chainId === undefined || currency.chainId === chainId)
      .slice(0, limit)
      .map(encodeListed)
  },
})
