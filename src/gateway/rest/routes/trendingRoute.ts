import { z } from 'zod'
import { encodeListed, listedCurrencyBody } from '#src/gateway/rest/bodies/currencyBody.ts'
import {
  chainIdParameter,
  limitParameter,
  referrerParameter,
  requireChain,
} from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import type { TrendOrder } from '#src/service/catalogue/catalogue.ts'

const defaultLimit = 20

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
    limit: limitParameter(defaultLimit),
    referrer: referrerParameter,
  }),
  body: z.array(listedCurrencyBody),
  takesApiKey: false,
  maxAgeSeconds: 60,
  example: () => ({ limit: 5 }),
  async answer({ chainId, sortBy = 'relay24hBuyTxCount', limit = defaultLimit }, { operations }) {
    if (chainId !== undefined) requireChain(operations, chainId)
    const trending = await operations.trendingCurrencies(orders[sortBy])
    return trending
      .filter((currency) => chainId === undefined || currency.chainId === chainId)
      .slice(0, limit)
      .map(encodeListed)
  },
})
