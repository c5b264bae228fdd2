import type { ExpandedPriceImpact } from '#src/core/pricing/price.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { fallbackTypeOf } from '#src/gateway/formatValues.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { CurrencyAmountType } from '#src/gateway/graphql/currencies/currencyType.ts'
import type { QuoteAnswer } from '#src/service/operations.ts'
import { swapDetailsFields } from './detailsType.ts'

const UsdPartType = builder.objectRef<Readonly<{ usd: Usd | undefined }>>('UsdPart').implement({
  description: 'A part of the difference in value between input and output, in US dollars.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Usd',
      nullable: true,
      description:
        'US dollars: positive for a gain, negative for a loss; null if a price is missing.',
    }),
  }),
})

const parts = {
  swap: 'Impact of the swaps: `totalImpact` less all other parts.',
  execution: 'Cost of the fill: its gas, the gas top-up and the flat service fee.',
  service: 'The part of the service fee that is proportional to the amount.',
  app: 'Sum of the app fees, which the frontends named in `appFees` receive: a loss.',
  sponsored: 'The part of the fees that a sponsor pays: a gain.',
} as const satisfies Record<keyof ExpandedPriceImpact, string>

const ExpandedPriceImpactType = builder
  .objectRef<ExpandedPriceImpact>('ExpandedPriceImpact')
  .implement({
    description: 'The difference in value between input and output, by cause.',
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
  description: 'Amounts, accounts, rate, price impact, slippage and refund currency of a quote.',
  fields: (t) => ({
    ...swapDetailsFields(t as never),
    refundCurrency: t.expose('refundCurrency', {
      type: CurrencyAmountType,
      description:
        'Amount that the depository receives. A refund is paid in this currency. For a user’s own swap: the amount that the user pays.',
    }),
    currencyGasTopup: t.expose('currencyGasTopup', {
      type: CurrencyAmountType,
      nullable: true,
      description:
        'Native currency that the recipient receives in addition; null without `topupGas`.',
    }),
    expandedPriceImpact: t.expose('expandedPriceImpact', {
      type: ExpandedPriceImpactType,
      description: 'The difference in value between input and output, by cause.',
    }),
    fallbackType: t.string({
      nullable: true,
      description:
        '"upstream" if another service quoted and executes the order, because this one could not and `useFallbacks` allows it; "external-liquidity" if the fill waits for missing inventory of the solver (`useExternalLiquidity`); else null.',
      resolve: (price) => fallbackTypeOf(price) ?? null,
    }),
    isFixedRate: t.exposeBoolean('isFixedRate', {
      description:
        'Whether the output is exact: with `fixedRate`, and for the same asset with EXACT_OUTPUT.',
    }),
    fixedRateFee: t.field({
      type: UsdPartType,
      nullable: true,
      description: 'The fee of `fixedRate`; null without one.',
      resolve: ({ fixedRateFee: usd }) => (usd === undefined ? null : { usd }),
    }),
  }),
})
