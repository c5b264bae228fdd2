import type { RestRoute } from './restRoute.ts'
import { chainsRoute, healthRoute, liquidityRoute, swapSourcesRoute } from './routes/chainRoutes.ts'
import { configRoute } from './routes/configRoute.ts'
import { currenciesRoute, trendingRoute } from './routes/currenciesRoute.ts'
import { depositAddressRoute } from './routes/depositAddressRoute.ts'
import { executePermitRoute, executePermitV2Route, executeRoute } from './routes/executeRoutes.ts'
import { multiInputRoute } from './routes/multiInputRoute.ts'
import { operatorRoute } from './routes/operatorRoute.ts'
import { priceRoute } from './routes/priceRoute.ts'
import { quoteRoute, quoteV3Route } from './routes/quoteRoute.ts'
import { requestsRoute } from './routes/requestsRoute.ts'
import { requestsV3Route } from './routes/requestsV3Route.ts'
import { legacyStatusRoutes, statusRoute } from './routes/statusRoutes.ts'
import { exactTokenPriceRoute, tokenPriceRoute } from './routes/tokenPriceRoute.ts'
import { indexRoute, singleRoute } from './routes/transactionRoutes.ts'

/** All routes of the OpenAPI document, in its order. */
export const restRoutes: readonly RestRoute[] = [
  priceRoute,
  quoteRoute,
  multiInputRoute,
  executePermitRoute,
  executePermitV2Route,
  executeRoute,
  statusRoute,
  ...legacyStatusRoutes,
  requestsRoute,
  requestsV3Route,
  indexRoute,
  singleRoute,
  depositAddressRoute,
  chainsRoute,
  liquidityRoute,
  healthRoute,
  configRoute,
  currenciesRoute,
  trendingRoute,
  tokenPriceRoute,
  exactTokenPriceRoute,
  swapSourcesRoute,
  operatorRoute,
]

/** All routes, also the one that only refuses. */
export const servedRoutes: readonly RestRoute[] = [...restRoutes, quoteV3Route]
