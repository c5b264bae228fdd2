import { chainsRoute } from './chainsRoute.ts'
import { currenciesRoute } from './currenciesRoute.ts'
import { indexRoute, singleRoute } from './indexRoutes.ts'
import { multiInputRoute } from './multiInputRoute.ts'
import { priceRoute } from './priceRoute.ts'
import { quoteRoute } from './quoteRoute.ts'
import { requestsRoute } from './requestsRoute.ts'
import type { RestRoute } from './restRoute.ts'
import { olderStatusRoutes, statusRoute } from './statusRoute.ts'
import { swapSourcesRoute } from './swapSourcesRoute.ts'
import { tokenPriceRoute } from './tokenPriceRoute.ts'

/** All paths of the REST face, in the order of the document. */
export const restRoutes: readonly RestRoute[] = [
  priceRoute,
  quoteRoute,
  multiInputRoute,
  statusRoute,
  ...olderStatusRoutes,
  requestsRoute,
  indexRoute,
  singleRoute,
  chainsRoute,
  currenciesRoute,
  tokenPriceRoute,
  swapSourcesRoute,
]
