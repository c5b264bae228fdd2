import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { CurrencyFilter } from '#src/service/operations.ts'
import type { CurrencySearch } from './currencySearch.ts'

type Key = Readonly<{ chainId: ChainId; address: Address }>

/** All currencies that a search finds, in the order of its answer. */
export async function findCurrencies(
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
  term !== undefined && /^0x[0-9a-f]{40}$/i.test(term) ? toAddress(term.toLowerCase()) : undefined

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
