import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { Leg } from '#src/pricing/price.ts'

const RouteLegType = builder.objectRef<Leg>('RouteLeg').implement({
  description: 'A route’s part on one chain.',
  fields: (t) => ({
    inputCurrency: t.expose('input', {
      type: CurrencyAmountType,
      description:
        'What goes in: what the user pays, or on the destination what the solver spends.',
    }),
    outputCurrency: t.expose('output', {
      type: CurrencyAmountType,
      description:
        'What comes out: what the depository receives, or on the destination what the recipient gets.',
    }),
    router: t.exposeString('router', {
      description:
        'The swap source it trades through, such as "uniswap-v3"; "crossquote" where several share it, "relay" where nothing is swapped.',
    }),
    includedSwapSources: t.expose('swapSources', {
      type: ['String'],
      description: 'Names of the swap sources it trades through; empty where nothing is swapped.',
    }),
  }),
})

export const RouteType = builder
  .objectRef<Readonly<{ origin: Leg; destination: Leg }>>('Route')
  .implement({
    description: 'The way a swap takes. On one chain both legs are the same.',
    fields: (t) => ({
      origin: t.expose('origin', {
        type: RouteLegType,
        description: 'What the user pays in, up to what the depository receives.',
      }),
      destination: t.expose('destination', {
        type: RouteLegType,
        description: 'What the solver spends, up to what the recipient gets.',
      }),
    }),
  })
