import type { Leg } from '#src/pricing/price.ts'
import { builder } from './builder.ts'
import { CurrencyAmountType } from './currencyType.ts'

/** In the order of the route's paths, each once. */
const swapSources = ({ route }: Leg): readonly string[] => [
  ...new Set(route?.paths.flatMap((path) => path.hops.map((hop) => hop.pool.source))),
]

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
    router: t.string({
      description:
        'The swap sources it trades through, joined by "+", such as "uniswap-v3"; "relay" where nothing is swapped.',
      resolve: (leg) => swapSources(leg).join('+') || 'relay',
    }),
    includedSwapSources: t.stringList({
      description: 'The swap sources it trades through, each once; empty where nothing is swapped.',
      resolve: (leg) => [...swapSources(leg)],
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
