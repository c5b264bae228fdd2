import { chainsRoute } from './chainsRoute.ts'
import { currenciesRoute } from './currenciesRoute.ts'
import { priceRoute } from './priceRoute.ts'
import { quoteRoute } from './quoteRoute.ts'
import type { RestRoute } from './restRoute.ts'
import { swapSourcesRoute } from './swapSourcesRoute.ts'
import { tokenPriceRoute } from './tokenPriceRoute.ts'

/** All paths of the REST face, in the order of the document. */
export const restRoutes: readonly RestRoute[] = [
  priceRoute,
  quoteRoute,
  chainsRoute,
  currenciesRoute,
  tokenPriceRoute,
  swapSourcesRoute,
]
