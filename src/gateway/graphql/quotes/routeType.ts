import type { Leg } from '#src/core/pricing/price.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'
import { routePaths } from '#src/service/routePaths.ts'
import { RoutePathType } from './routePathType.ts'

const RouteLegType = builder.objectRef<Leg>('RouteLeg').implement({
  description: 'The part of a route on one chain.',
  fields: (t) => ({
    inputCurrency: t.expose('input', {
      type: CurrencyAmountType,
      description:
        'Input of the leg: the user’s payment; on the destination chain, the amount that the solver spends.',
    }),
    outputCurrency: t.expose('output', {
      type: CurrencyAmountType,
      description:
        'Output of the leg: the deposit in the depository; on the destination chain, the amount that the recipient gets.',
    }),
    router: t.exposeString('router', {
      description:
        'Swap source of the leg, such as "uniswap-v3"; "crossquote" if there are several, "relay" without a swap.',
    }),
    includedSwapSources: t.expose('swapSources', {
      type: ['String'],
      description: 'Names of all swap sources of the leg; empty without a swap.',
    }),
    paths: t.field({
      type: [RoutePathType],
      description:
        'The paths that the swap is split over, in the order of execution; empty without a swap.',
      extensions: { items: 4 },
      resolve: (leg) => [...routePaths(leg)],
    }),
  }),
})

export const RouteType = builder
  .objectRef<Readonly<{ origin: Leg; destination: Leg }>>('Route')
  .implement({
    description: 'The route of a swap, by leg. For a swap on one chain both legs are equal.',
    fields: (t) => ({
      origin: t.expose('origin', {
        type: RouteLegType,
        description:
          'Leg on the origin chain: from the user’s payment to the deposit in the depository.',
      }),
      destination: t.expose('destination', {
        type: RouteLegType,
        description:
          'Leg on the destination chain: from the currency that the solver spends to the currency that the recipient gets.',
      }),
    }),
  })
