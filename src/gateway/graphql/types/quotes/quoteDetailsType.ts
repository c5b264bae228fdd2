import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/types/currencies/currencyType.ts'
import type { QuoteAnswer } from '#src/operations/operations.ts'
import type { ExpandedPriceImpact } from '#src/pricing/price.ts'
import type { Usd } from '#src/units/usd.ts'
import { swapDetailsFields } from './detailsType.ts'

const UsdPartType = builder.objectRef<Readonly<{ usd: Usd | undefined }>>('UsdPart').implement({
  description: 'A part of a sum in US dollars.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      nullable: true,
      description: 'A gain or, negative, a loss; null where a price is missing.',
    }),
  }),
})

const parts = {
  swap: 'Of the swaps alone: what is left once all other parts are taken off `totalImpact`.',
  execution: 'What filling costs: its gas, a gas top-up, and the flat part of the charge.',
  service: 'The part of the service’s charge that grows with the amount.',
  app: 'The app fees.',
  sponsored: 'What a sponsor pays of the above: a gain.',
} as const satisfies Record<keyof ExpandedPriceImpact, string>

const ExpandedPriceImpactType = builder
  .objectRef<ExpandedPriceImpact>('ExpandedPriceImpact')
  .implement({
    description: 'What moves the worth of the output away from that of the input, by cause.',
    fields: (t) => {
      const part = (key: keyof ExpandedPriceImpact) =>
        t.field({
          type: UsdPartType,
          description: parts[key],
          resolve: (impact) => ({ usd: impact[key] }),
        })
      return {
        swap: part('swap'),
        execution: part('execution'),
        service: part('service'),
        app: part('app'),
        sponsored: part('sponsored'),
      }
    },
  })

export const QuoteDetailsType = builder.objectRef<QuoteAnswer>('QuoteDetails').implement({
  description: 'The summary of a quote: who pays and gets what, and what becomes of it otherwise.',
  fields: (t) => ({
    ...swapDetailsFields(t as never),
    refundCurrency: t.expose('refundCurrency', {
      type: CurrencyAmountType,
      description:
        'What the depository receives, and what a refund pays back in; what the user pays in where it swaps alone.',
    }),
    currencyGasTopup: t.expose('currencyGasTopup', {
      type: CurrencyAmountType,
      nullable: true,
      description: 'Native currency that the recipient gets on top; null without `topupGas`.',
    }),
    expandedPriceImpact: t.expose('expandedPriceImpact', {
      type: ExpandedPriceImpactType,
      description: 'What moves the worth of the output away from that of the input, by cause.',
    }),
    fallbackType: t.string({
      nullable: true,
      description: 'The fallback that the route takes: null, as `useFallbacks` is refused.',
      resolve: () => null,
    }),
    isFixedRate: t.exposeBoolean('isFixedRate', {
      description:
        'Whether the output is promised to the unit: for `fixedRate`, and for the same asset with EXACT_OUTPUT.',
    }),
    fixedRateFee: t.field({
      type: UsdPartType,
      nullable: true,
      description: 'What `fixedRate` comes to; null without one.',
      resolve: ({ fixedRateFee: usd }) => (usd === undefined ? null : { usd }),
    }),
  }),
})
