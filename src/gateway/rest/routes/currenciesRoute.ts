import { z } from 'zod'
import { listedCurrencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import { encodeListed } from '#src/gateway/rest/bodies/listedCurrency.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { currencySearch, defaultLimit } from '#src/gateway/rest/search/currencySearch.ts'
import { findCurrencies } from '#src/gateway/rest/search/findCurrencies.ts'

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
